/** Markup that may be sent unescaped; made by `html` only. */
export class Markup {
  readonly #text: string

  /** @param text in which all foreign text is escaped */
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
 * Template tag for HTML. It escapes every value except `Markup`, also inside attributes, which must
 * be quoted.
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
