const [QUOTE, BACKSLASH, COMMA, BRACE, BRACKET] = ['"', '\\', ',', '{', '['].map((each) =>
  each.charCodeAt(0)
)

/** Returns whether JSON may have more members than a limit, counting all its objects and lists. */
export function mayHaveMore(json: string, most: number): boolean {
  // A member takes at least two characters: a value and a comma.
  if (json.length <= 2 * most) return false
  let members = 0
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at)
    // Each object or list opens before its first member; every further member follows a comma.
    if (character === COMMA || character === BRACE || character === BRACKET) members += 1
    if (members > most) return true
    if (character === QUOTE) at = endOfText(json, at)
  }
  return false
}

/** Returns the end of the string that begins at a quote. */
function endOfText(json: string, begin: number): number {
  let at = begin + 1
  while (at < json.length && json.charCodeAt(at) !== QUOTE) {
    at += json.charCodeAt(at) === BACKSLASH ? 2 : 1
  }
  return at
}
