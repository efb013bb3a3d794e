import { readFile, writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

/*
 * The pictures of pages in docs/images. Each comes with the words of its page: where a page says
 * something else by now, its picture is to be taken anew, by `npm run docs:images`.
 */

const FOLDER = new URL('../../../docs/images/', import.meta.url)

/** Pages with a picture, by the name that they are looked at under. */
const PICTURES: Readonly<Record<string, string>> = {
  'release-items': 'release',
  'release-rolling': 'rollout',
}

/**
 * The words of a page that stay, however far its release is: its headings and the navigation, but
 * for other organizations of the reader, who come from other specs.
 */
const WORDS = 'h1, h2, h3, header nav :not(.orgs li) > a'

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
