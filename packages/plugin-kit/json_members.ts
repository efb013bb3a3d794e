const [QUOTE, BACKSLASH, COMMA, BRACE, BRACKET] = ['"', '\\', ',', '{', '['].map((each) =>
  each.charCodeAt(0)
)

/** Returns whether JSON may have more members, in all its objects and lists, than a limit. */
export function mayHaveMore(json: string, most: number): boolean {
  // A member takes a sign and a comma at least.
  if (json.length <= 2 * most) return false
  let members = 0
  for (let at = 0; at < json.length; at++) {
    const sign = json.charCodeAt(at)
    // The first member of each follows its beginning, every further one a comma.
    if (sign === COMMA || sign === BRACE || sign === BRACKET) members += 1
    if (members > most) return true
    if (sign === QUOTE) at = endOfText(json, at)
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
