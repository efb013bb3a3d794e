/** Markup that may be sent as it is: only `html` makes it. */
export class Markup {
  readonly #text: string

  /** @param text with every text of others escaped */
  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** Values that a template accepts; null, undefined and false show nothing. */
type HtmlPart = string | number | Markup | null | undefined | false | readonly HtmlPart[]

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Writes HTML in which every value is text, also between the quotes of an attribute: markup is
 * what this has made itself. Attributes are to be quoted.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Markup {
  return new Markup(
    strings.reduce((written, string, index) => written + shown(parts[index - 1]) + string)
  )
}

function shown(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Markup) return part.toString()
  if (typeof part === 'object') return part.map(shown).join('')
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character])
}
