import { attributes, textOf } from './support.js'

/*
 * Texts that a careless page would render as markup, as a template or as script.
 */

/** Makes a text that contains a mark, which says whose text it is. */
export type Text = (mark: string) => string

export const CORPUS: readonly Text[] = [
  (mark) => `<script>${mark}()</script>`,
  (mark) => `"><img src=x onerror=${mark}()>`,
  (mark) => `'><svg/onload=${mark}()>`,
  (mark) => `</title></textarea><u>${mark}`,
  (mark) => `{{ 1789 * 1789 }}{{{ ${mark} }}}`,
  (mark) => `javascript:${mark}()//<a href="`,
]

/** Markup that no template contains, so it would come from an unescaped text. */
const MARKUP = /<(script>|img src=x|svg\/|u>)|\/\/<a |3200521/

/** Returns where a page renders a text as markup, or leads to an address that is none of the web. */
export function faultsOf(html: string): string[] {
  const found = MARKUP.exec(html)
  const markup = found ? [html.slice(Math.max(0, found.index - 80), found.index + 80)] : []
  const led = ['href', 'src', 'action'].flatMap((name) =>
    attributes(html, name)
      .filter((each) => !/^(\/|#|\?|https?:|$)/.test(each))
      .map((each) => `${name}="${each}"`)
  )
  return [...markup, ...led]
}

/** Returns all that a page shows as text. */
export const seenIn = (html: string): string =>
  [textOf(html), ...['title', 'value'].flatMap((name) => attributes(html, name))].join('\n')

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Returns the marks of the texts that a page shows as text. */
export function marksIn(html: string, text: Text): string[] {
  const [before, after] = text('\0').split('\0').map(escaped)
  const texts = new RegExp(`${before}([\\w.]+)${after}`, 'g')
  return [...new Set([...seenIn(html).matchAll(texts)].map(([, mark]) => mark))]
}
