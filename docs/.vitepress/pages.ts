import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const LINK = /\]\(([^)\s]+)\)/g
const ELSEWHERE = /^(?:[a-z]+:|<)/

/** A page without its blocks of code. */
export const textOf = (page: string) =>
  readFileSync(join(ROOT, page), 'utf8').replace(/^( *)```[^]*?^\1```$/gm, '')

/** The links of a page within the repository: the file that each leads to, and its heading. */
export const linksOf = (page: string) =>
  [...textOf(page).matchAll(LINK)]
    .map(([, target]) => target)
    .filter((target) => !ELSEWHERE.test(target))
    .map((target) => {
      const [file, heading] = target.split('#')
      return { target, file: file ? join(page, '..', file) : page, heading }
    })

/** A page, and every page that links lead to from it. */
export function reachedFrom(page: string): ReadonlySet<string> {
  const reached = new Set([page])
  for (const from of reached) {
    for (const { file } of linksOf(from)) {
      if (file.endsWith('.md') && existsSync(join(ROOT, file))) reached.add(file)
    }
  }
  return reached
}

/** The pages of the site: those of docs, and what they link to. */
export const sitePages = reachedFrom('docs/README.md')

/** Where a page of the repository stands in the site. */
export const placeOf = (page: string) =>
  page.replace(/^docs\//, '').replace(/README\.md$/, 'index.md')

/** What the site leaves out of the repository, as patterns. */
export function leftOut(): string[] {
  const top = [...new Set([...sitePages].map((page) => page.split('/')[0]))]
  const found = globSync(`{${top.join(',')}}/**/*.md`, { cwd: ROOT, exclude: ['**/node_modules'] })
  return [`!(${top.join('|')})/**`, ...found.filter((page) => !sitePages.has(page))]
}
