import { malformed } from './occurrence.ts'

/**
 * A word, a string with the bounds of its content, or a sign; spaces and comments give no tokens.
 */
export interface Token {
  kind: 'word' | 'string' | 'sign'
  text: string
  start: number
  end: number
}

export interface Language {
  /** The name of the format, for error messages. */
  format: string
  quotes: readonly string[]
  /** Quotes between which a backslash has no special meaning. */
  raw?: readonly string[]
  word: RegExp
  /** True if comments may be nested. */
  nests?: boolean
}

/**
 * Yields the tokens of a text with comments as in C. A string is one token, whose content is not
 * interpreted.
 * @throws VersionFileFault for a string or comment that never ends
 */
export function* tokensOf(
  text: string,
  { format, quotes, raw = [], word, nests = false }: Language
): Generator<Token> {
  const find = (what: string, from: number) => {
    const at = text.indexOf(what, from)
    if (at === -1) throw malformed(format)
    return at
  }
  for (let at = 0; at < text.length;) {
    if (text.startsWith('//', at)) at = lineEnd(text, at)
    else if (text.startsWith('/*', at))
      at = nests ? nestedEnd(text, at, find) : find('*/', at + 2) + 2
    else {
      const quote = quotes.find((each) => text.startsWith(each, at))
      word.lastIndex = at
      const found = quote === undefined ? word.exec(text)?.[0] : undefined
      if (quote !== undefined) {
        const start = at + quote.length
        const isRaw = raw.includes(quote)
        const end = isRaw ? find(quote, start) : stringEnd(text, start, quote, find)
        yield { kind: 'string', text: text.slice(start, Math.min(end, start + 300)), start, end }
        at = end + quote.length
      } else if (found) {
        yield { kind: 'word', text: found, start: at, end: at + found.length }
        at += found.length
      } else {
        const sign = text[at]
        if (/\S/.test(sign)) yield { kind: 'sign', text: sign, start: at, end: at + 1 }
        at += 1
      }
    }
  }
}

type Find = (what: string, from: number) => number

/** Returns the end of a nested comment. */
function nestedEnd(text: string, start: number, find: Find): number {
  const mark = /\/\*|\*\//g
  mark.lastIndex = start
  let open = 0
  for (;;) {
    const found = mark.exec(text)
    // An unterminated comment is reported like any other.
    if (!found) return find('*/', text.length)
    open += found[0] === '/*' ? 1 : -1
    if (open === 0) return mark.lastIndex
  }
}

function stringEnd(text: string, start: number, quote: string, find: Find): number {
  for (let from = start; ;) {
    const end = find(quote, from)
    let escapes = 0
    while (end - 1 - escapes >= start && text[end - 1 - escapes] === '\\') escapes += 1
    if (escapes % 2 === 0) return end
    from = end + 1
  }
}

function lineEnd(text: string, from: number): number {
  const end = /[\r\n]/g
  end.lastIndex = from
  return end.exec(text)?.index ?? text.length
}
