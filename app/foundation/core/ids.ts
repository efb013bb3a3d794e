import { AsyncLocalStorage } from 'node:async_hooks'
import { randomInt } from 'node:crypto'

/** The digits of base 62. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Draws a whole number from 0 (included) to a limit (excluded), for something of a name. */
export type Draw = (below: number, what: string) => number

let draw: Draw = (below) => randomInt(below)

/**
 * From now on the ids and tokens of this process come from elsewhere: for a rehearsal, which has
 * a process and a home of its own and whose secrets are none (docs/decisions/0027-simulated-worlds.md).
 */
export function drawIdsFrom(source: Draw): void {
  draw = source
}

const noting = new AsyncLocalStorage<Set<string>>()

/** Does work, and notes each text of chance that it draws. */
export function notingDrawn<Result>(work: (drawn: ReadonlySet<string>) => Result): Result {
  const drawn = new Set<string>()
  return noting.run(drawn, () => work(drawn))
}

/** Random text of a length; 20 characters of base62 hold 119 bits. */
export function randomText(length: number, what = 'text', characters = BASE62): string {
  let text = ''
  for (let index = 0; index < length; index++) text += characters[draw(characters.length, what)]
  noting.getStore()?.add(text)
  return text
}

/** A random number of so many digits, of which the first is not 0. */
export function randomDigits(count: number): string {
  const first = 1 + draw(9, 'digits')
  return [first, ...Array.from({ length: count - 1 }, () => draw(10, 'digits'))].join('')
}

/** A new id `<prefix>_<random>`; the prefix shows people the type of the object. */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(20, prefix)}`
}

const TIME_DIGITS = 8
const ORDER_DIGITS = 3

/**
 * Makes ids of things that happen at a time, by the thousand: those of later times sort behind,
 * so that what is added to an index goes to its end, and those of one time in the order in which
 * they were made. As long as other ids; 9 characters of chance hold 53 bits a millisecond.
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

/** The last digits of a number in base 62. */
function digits(number: number, count: number): string {
  let text = ''
  for (let rest = number; text.length < count; rest = Math.floor(rest / 62)) {
    text = BASE62[rest % 62] + text
  }
  return text
}
