/** Returns a percentage without trailing zeros. */
export const percentText = (percent: number): string =>
  unbroken(`${Number(percent.toFixed(percent < 10 ? 2 : 1))} %`)

/** Returns a share of health, in which a tenth of a percent is a lot. */
export const healthText = (percent: number): string => unbroken(`${Number(percent.toFixed(2))} %`)

/** Returns a text whose lines do not end between a number and its percent sign. */
export const unbroken = (text: string): string => text.replace(/(\d) %/g, '$1\u00a0%')

/** Returns a large count in few figures: `8,114`, `412 k`, `1.2 M`. */
export function countText(count: number): string {
  if (count < 10_000) return count.toLocaleString('en')
  if (count < 1_000_000) return `${Math.round(count / 1000)} k`
  return `${(count / 1_000_000).toFixed(1)} M`
}

/** Returns a count with its noun: `1 release`, `3 releases`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`

/** Number words up to nine, for the beginning of a sentence. */
const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine']

export const numberWord = (count: number): string => NUMBERS[count] ?? String(count)

/** Units of sizes, with the bytes from which they are used and their decimal places. */
const UNITS = [
  { name: 'GB', bytes: 1_000_000_000, digits: 1 },
  { name: 'MB', bytes: 1_000_000, digits: 1 },
  { name: 'kB', bytes: 1000, digits: 0 },
  { name: 'B', bytes: 1, digits: 0 },
] as const

const unitOf = (size: number) => UNITS.find(({ bytes }) => size >= bytes) ?? UNITS[3]

/** Returns the size of a file: `640 kB`, `48.2 MB`. */
export function sizeText(size: number): string {
  const { name, bytes, digits } = unitOf(size)
  return `${(size / bytes).toFixed(digits)} ${name}`
}

/** Returns the difference of two sizes as they are shown rounded; if those are equal, in full. */
export function sizeDifference(from: number, to: number): string {
  if (from === to) return 'same'
  const { bytes, digits } = unitOf(Math.max(from, to))
  const [was, is] = [from, to].map((size) => Number((size / bytes).toFixed(digits)))
  const text = sizeText(Math.abs(was === is ? to - from : (is - was) * bytes))
  return `${to > from ? '+' : '−'}${text}`
}
