import { globSync, readFileSync } from 'node:fs'

/*
 * The texts of the templates of pages: what stands between tags, in the attributes that people read
 * or hear, and in strings within expressions.
 */

const ROOT = new URL('../../../', import.meta.url)

const COMMENT = /\{\{--.*?--\}\}/gs
const CODE = /<(script|style)\b.*?<\/\1>/gs
/** Tags of Edge, which stand on a line of their own. */
const EDGE_TAG = /^\s*@.*$/gm
const EXPRESSION = /\{\{\{?.*?\}\}\}?/gs
/** Tags within a sentence. */
const INLINE = /<\/?(a|b|bdi|code|em|i|span|strong|time)\b[^>]*>/g
const TAG = /<[^>]*>/g
const ATTRIBUTE = /\b(?:aria-label|placeholder|title|alt)="([^"]*)"/g
const STRING = /'([^']*)'/g
const BREAK = '\u0000'

const PHRASE = /\p{L}{2}.*\s|^\p{Lu}\p{Ll}{2}/su
const MARKUP = /[="<>]|\bi1\d\b/

function textsIn(template: string): string[] {
  const strings: string[] = []
  const collect = (code: string) => {
    strings.push(...[...code.matchAll(STRING)].map(([, text]) => text))
    return ''
  }
  const visible = template
    .replaceAll(COMMENT, '')
    .replaceAll(CODE, '')
    .replaceAll(EDGE_TAG, (tag) => collect(tag) + BREAK)
    .replaceAll(EXPRESSION, (expression) => `${collect(expression)}…`)
  const attributes = [...visible.matchAll(ATTRIBUTE)].map(([, text]) => text)
  const pieces = visible.replaceAll(INLINE, '').replaceAll(TAG, BREAK).split(BREAK)
  return [...pieces, ...attributes, ...strings.filter((each) => !MARKUP.test(each))]
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => PHRASE.test(text))
}

/** Returns the texts of every template in a folder. */
export function templatesIn(folder: string): { path: string; texts: string[] }[] {
  return globSync(`${folder}/**/*.edge`, { cwd: ROOT }).map((path) => ({
    path,
    texts: [...new Set(textsIn(readFileSync(new URL(path, ROOT), 'utf8')))],
  }))
}
