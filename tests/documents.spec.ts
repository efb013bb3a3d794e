import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from '@japa/runner'
import { slugify } from '../docs/.vitepress/slugify.js'

/*
 * Links between pages, and to their headings, lead somewhere, and each page can be found.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const pages = globSync(['*.md', '{docs,packages,plugins,examples}/**/*.md', 'app/**/README.md'], {
  cwd: ROOT,
}).filter((path) => !path.includes('node_modules'))

const LINK = /\]\(([^)\s]+)\)/g
const ELSEWHERE = /^(?:[a-z]+:|<)/

/** A page without its blocks of code. */
const textOf = (path: string) =>
  readFileSync(join(ROOT, path), 'utf8').replace(/^( *)```[^]*?^\1```$/gm, '')

/** The part of an address that leads to a heading, as the site has it. */
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

const linksOf = (path: string) =>
  [...textOf(path).matchAll(LINK)]
    .map(([, target]) => target)
    .filter((target) => !ELSEWHERE.test(target))
    .map((target) => {
      const [file, heading] = target.split('#')
      return { target, file: file ? normalize(join(path, '..', file)) : path, heading }
    })

test.group('Pages', () => {
  test('lead only to what is there', ({ assert }) => {
    assert.isAbove(pages.length, 80)
    const broken = pages.flatMap((path) =>
      linksOf(path).flatMap(({ target, file, heading }) => {
        const isThere = existsSync(join(ROOT, file))
        const isHeading = !heading || !file.endsWith('.md') || !isThere
        return isThere && (isHeading || headingsOf(file).has(heading)) ? [] : `${path}: ${target}`
      })
    )
    assert.deepEqual(broken, [])
  })

  test('of docs are reached from README by links', ({ assert }) => {
    const reached = new Set(['README.md'])
    for (const path of reached) {
      for (const { file } of linksOf(path)) if (pages.includes(file)) reached.add(file)
    }
    const lost = pages.filter((path) => path.startsWith('docs/') && !reached.has(path))
    assert.deepEqual(lost, [])
  })
})
