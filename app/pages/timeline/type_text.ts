/** Returns the type of an entry in words: `ciBuild.statusChanged` is `CI build status changed`. */
export const typeText = (type: string): string =>
  type
    .replaceAll('.', ' ')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^ci\b/, 'CI')
    .replace(/^[a-z]/, (letter) => letter.toUpperCase())
