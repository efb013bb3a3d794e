/** Number of gradients that the style sheet has for apps. */
const HUES = 6

/** Returns the class of an app's colour: the same for all apps of a product. */
export function hueOf(name: string): string {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) % 100_003
  return `h${(sum % HUES) + 1}`
}
