import { AsyncLocalStorage } from 'node:async_hooks'
import { randomInt } from 'node:crypto'

/** The digits of base 62. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Draws an integer from 0 up to but excluding a limit.
 * @param what names its use, such as an id prefix
 */
export type Draw = (below: number, what: string) => number

let draw: Draw = (below) => randomInt(below)

/**
 * Replaces the random source of this process for ids and tokens. For rehearsals only: each runs in
 * its own process and has no real secrets (docs/decisions/0027-simulated-worlds.md).
 */
export function drawIdsFrom(source: Draw): void {
  draw = source
}

const noting = new AsyncLocalStorage<Set<string>>()

/** Runs work and collects each random text that it generates. */
export function notingDrawn<Result>(work: (drawn: ReadonlySet<string>) => Result): Result {
  const drawn = new Set<string>()
  return noting.run(drawn, () => work(drawn))
}

/** Returns random text of a length; 20 characters of base62 hold 119 bits. */
export function randomText(length: number, what = 'text', characters = BASE62): string {
  let text = ''
  for (let index = 0; index < length; index++) text += characters[draw(characters.length, what)]
  noting.getStore()?.add(text)
  return text
}

/** Returns a random number with this many digits; the first one is not 0. */
export function randomDigits(count: number): string {
  const first = 1 + draw(9, 'digits')
  return [first, ...Array.from({ length: count - 1 }, () => draw(10, 'digits'))].join('')
}

/** Returns a new id `<prefix>_<random>`; the prefix shows people the type of the object. */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(20, prefix)}`
}

const TIME_DIGITS = 8
const ORDER_DIGITS = 3

/**
 * Makes ids that sort by time, and within one time in the order in which they were made, so that
 * new rows go to the end of an index. They are as long as other ids; their 9 random characters
 * hold 53 bits per millisecond.
 */
export function idsAt(prefix: string, milliseconds: number): () => string {
  const time = digits(milliseconds, TIME_DIGITS)
  let made = 0
  return () => {
    const order = digits(made++, ORDER_DIGITS)
    const text = `${time}${order}${randomText(20 - TIME_DIGITS - ORDER_DIGITS, prefix)}`
    noting.getStore()?.add(text)
    return `${prefix}_${text}`
  }
}

/** Returns the last digits of a number in base 62. */
function digits(number: number, count: number): string {
  let text = ''
  for (let rest = number; text.length < count; rest = Math.floor(rest / 62)) {
    text = BASE62[rest % 62] + text
  }
  return text
}
