/** Returns a share in percent with a narrow space, without more digits than it has. */
export const percentText = (percent: number): string =>
  `${Number(percent.toFixed(percent < 10 ? 2 : 1))} %`

/** Returns a large count in few figures: `8,114`, `412 k`, `1.2 M`. */
export function countText(count: number): string {
  if (count < 10_000) return count.toLocaleString('en')
  if (count < 1_000_000) return `${Math.round(count / 1000)} k`
  return `${(count / 1_000_000).toFixed(1)} M`
}

/** Returns a count with its noun: `1 release`, `3 releases`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`

/** Number words up to nine, as sentences begin with them. */
const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine']

export const numberWord = (count: number): string => NUMBERS[count] ?? String(count)

/** Returns the size of a file: `640 kB`, `48.2 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`
}
