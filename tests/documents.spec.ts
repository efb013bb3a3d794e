import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { linksOf, placeOf, reachedFrom, ROOT, sitePages, textOf } from '../docs/.vitepress/pages.js'
import { slugify } from '../docs/.vitepress/slugify.js'

/*
 * Links between pages, and to their headings, lead somewhere, and each page can be found.
 */

const pages = globSync(
  ['*.md', '{ci,docs,packages,plugins,examples}/**/*.md', 'app/**/README.md'],
  { cwd: ROOT }
).filter((path) => !path.includes('node_modules'))

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

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

  test('of docs are reached from README by links, and stand in the site', ({ assert }) => {
    const docs = pages.filter((path) => path.startsWith('docs/'))
    const reached = reachedFrom('README.md')
    assert.deepEqual(
      docs.filter((path) => !reached.has(path)),
      []
    )
    assert.includeMembers([...sitePages], [...docs, 'CHANGELOG.md', 'packages/cli/README.md'])
    // It is a page for whoever looks at the repository.
    assert.notInclude([...sitePages], 'README.md')
  })

  test('of the guide are where the service leads to', ({ assert }) => {
    const places = new Set([...sitePages].map((page) => placeOf(page).replace(/(index)?\.md$/, '')))
    const sources = globSync('app/pages/*/*.{edge,ts}', { cwd: ROOT })
    const led = sources.flatMap((path) =>
      [...read(path).matchAll(/'\/guide\/([^']+)'/g)].map(([, place]) => place)
    )
    assert.isAbove(led.length, 10)
    assert.deepEqual(
      led.filter((place) => !places.has(place)),
      []
    )
  })
})
