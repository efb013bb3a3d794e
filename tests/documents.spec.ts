import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { linksOf, placeOf, reachedFrom, ROOT, sitePages, textOf } from '../docs/.vitepress/pages.js'
import { slugify } from '../docs/.vitepress/slugify.js'

/*
 * Links between pages, and to their headings, have a target, and every page is linked.
 */

const pages = globSync(
  ['*.md', '{ci,docs,packages,plugins,examples}/**/*.md', 'app/**/README.md'],
  { cwd: ROOT }
).filter((path) => !path.includes('node_modules'))

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** Returns the fragment that the site gives a heading. */
const slugOf = (heading: string) => slugify(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))

const headings = new Map<string, Set<string>>()

function headingsOf(path: string): Set<string> {
  const known = headings.get(path)
  if (known) return known
  const found = new Set<string>()
  for (const [, heading] of textOf(path).matchAll(/^#+ (.*)$/gm)) found.add(slugOf(heading))
  headings.set(path, found)
  return found
}

test.group('Pages', () => {
  test('link only to existing files and headings', ({ assert }) => {
    assert.isAbove(pages.length, 80)
    const broken = pages.flatMap((path) =>
      linksOf(path).flatMap(({ target, file, heading }) => {
        const isFile = existsSync(join(ROOT, file))
        const needsHeading = isFile && heading && file.endsWith('.md')
        const isBroken = !isFile || (needsHeading && !headingsOf(file).has(heading))
        return isBroken ? `${path}: ${target}` : []
      })
    )
    assert.deepEqual(broken, [])
  })

  test('of docs are reached from README by links, and are in the site', ({ assert }) => {
    const docs = pages.filter((path) => path.startsWith('docs/'))
    const reached = reachedFrom('README.md')
    assert.deepEqual(
      docs.filter((path) => !reached.has(path)),
      []
    )
    assert.includeMembers([...sitePages], [...docs, 'CHANGELOG.md', 'packages/cli/README.md'])
    // README.md is for readers of the repository.
    assert.notInclude([...sitePages], 'README.md')
  })

  test('of the guide exist where the service links to them', ({ assert }) => {
    const places = new Set([...sitePages].map((page) => placeOf(page).replace(/(index)?\.md$/, '')))
    const sources = globSync('app/pages/*/*.{edge,ts}', { cwd: ROOT })
    const linked = sources.flatMap((path) =>
      [...read(path).matchAll(/'\/guide\/([^'*]+)'/g)].map(([, place]) => place)
    )
    assert.isAbove(linked.length, 10)
    assert.deepEqual(
      linked.filter((place) => !places.has(place)),
      []
    )
  })
})
