import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from '@japa/runner'

/*
 * Files of the repository cite only documents in the repository: a comment states a rule itself, or
 * cites a page under docs.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** A path or a name that ends like a page of Markdown, as in `docs/architecture.md`. */
const PAGE = /(?<![\w./-])(?:\.{0,2}\/)?[\w-]+(?:[./][\w-]+)*\.md\b/g
/** Folders that were beside the repository while it was made. */
const FOREIGN_FOLDER = /(?<![\w./-])(?:contract|shared)\/[\w-]/

/** A document that is cited without a name. */
const UNNAMED = /\(contract\b|\btable\b.*\b(of|in) the vocabulary\b/i

/** Returns the dangling references of a text; `exists` checks a path from the root. */
function danglingReferences(
  path: string,
  text: string,
  exists: (path: string) => boolean
): string[] {
  return text.split('\n').flatMap((line, index) => {
    const pages = [...line.matchAll(PAGE)].map(([page]) => page)
    const missing = pages.filter((page) => !exists(page) && !exists(join(dirname(path), page)))
    if (FOREIGN_FOLDER.test(line) || UNNAMED.test(line)) missing.push(line.trim())
    return missing.map((reference) => `${path}:${index + 1} ${reference}`)
  })
}

const FOLDERS = 'app,benchmarks,bin,config,database,docs,packages,providers,start,tests'
const files = globSync([`{${FOLDERS}}/**/*.{ts,js,md,yml}`, '*.{ts,js,md}'], { cwd: ROOT }).filter(
  (path) => path !== join('tests', 'comments.spec.ts')
)

test.group('comments and pages', () => {
  test('cite only what is in the repository', ({ assert }) => {
    assert.isAbove(files.length, 300)
    const exists = (path: string) => existsSync(join(ROOT, path))
    const dangling = files.flatMap((path) =>
      danglingReferences(path, readFileSync(join(ROOT, path), 'utf8'), exists)
    )
    assert.deepEqual(dangling, [])
  })

  test('a reference to a missing document is detected', ({ assert }) => {
    const exists = (path: string) => path === 'docs/architecture.md'
    const found = (text: string) => danglingReferences('docs/other.md', text, exists)
    assert.deepEqual(found('see docs/architecture.md, or [the page](architecture.md)'), [])
    assert.deepEqual(found('one\nas `entities.md` says'), ['docs/other.md:2 entities.md'])
    assert.deepEqual(found('(docs/gone.md)'), ['docs/other.md:1 docs/gone.md'])
    assert.deepEqual(found('rule 1 of contract/http'), ['docs/other.md:1 rule 1 of contract/http'])
    for (const text of ['(contract: rule 1)', 'the table of the vocabulary'])
      assert.deepEqual(found(text), [`docs/other.md:1 ${text}`])
  })
})
