import { readFile, writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

/*
 * The pictures of pages in docs/images. Each is stored with the words of its page: if the page has
 * other words by now, renew its picture by `npm run docs:images`.
 */

const FOLDER = new URL('../../../docs/images/', import.meta.url)

/** Pages with a picture, by the name that they are looked at under. */
const PICTURES: Readonly<Record<string, string>> = {
  'release-items': 'release',
  'release-rolling': 'rollout',
}

/**
 * The words of a page that do not depend on the clock: headings, buttons, the sentence and
 * navigation, without the reader's other organizations, which come from other specs.
 */
const WORDS = 'h1, h2, h3, .say b, main button, main summary, header nav :not(.orgs li) > a'

/** Takes the picture of a page, or returns what its picture does not show. */
export async function illustrate(page: Page, name: string): Promise<string[]> {
  const picture = PICTURES[name]
  if (!picture) return []
  const texts = await page.locator(WORDS).allInnerTexts()
  const words = texts
    .map((text) => text.replace(/\s+/g, ' ').replace(/\d+/g, '#').trim())
    .filter((text) => text !== '')
    .join('\n')
  const at = new URL(`${picture}.txt`, FOLDER)
  if (process.env.DOCS_IMAGES) {
    await writeFile(at, `${words}\n`)
    await page.screenshot({ path: new URL(`${picture}.png`, FOLDER).pathname })
  }
  const shown = (await readFile(at, 'utf8')).trimEnd()
  if (shown === words) return []
  const isNew = (line: string) => !shown.split('\n').includes(line)
  const other = words.split('\n').filter(isNew).join(', ')
  return [`docs/images/${picture}.png lacks "${other}"; renew it by \`npm run docs:images\``]
}
