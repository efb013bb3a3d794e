import { DateTime } from 'luxon'
import type { Instant } from '#foundation/core/clock'
import type { Fault, Fields, Refused, Typed } from './page.js'
import { faultText } from '../words/plain.js'
import { fieldOf } from './refusal.js'

/** The field that lists stored values to delete, by the names of their fields. */
export const FORGET = 'forget'

/** Returns what was typed into a field; null for a field that is empty, missing or given twice. */
export function textOf(fields: Fields, name: string): string | null {
  const given = fields[name]
  return typeof given === 'string' && given.trim() !== '' ? given.trim() : null
}

/** Returns a text of several lines; browsers send CRLF, which becomes LF. */
export function textWithin(fields: Fields, name: string): string {
  const given = fields[name]
  return typeof given === 'string' ? given.replaceAll('\r\n', '\n') : ''
}

/**
 * Returns a field untrimmed; null if it is empty. If several fields share the name, such as a text
 * and a file, the last one that is not empty counts.
 */
export function rawTextOf(fields: Fields, name: string): string | null {
  const given = listIn(fields, name).findLast((each) => each.trim() !== '')
  return given === undefined ? null : given.replaceAll('\r\n', '\n')
}

/** Returns a field that may be given several times, as checkboxes of one name are. */
export const listIn = (fields: Fields, name: string): string[] => [fields[name] ?? []].flat()

/** Returns the entries of a field, separated by spaces, line ends, commas or semicolons. */
export function linesIn(fields: Fields, name: string): string[] {
  return (textOf(fields, name) ?? '')
    .split(/[\s,;]+/)
    .map((line) => line.trim())
    .filter(Boolean)
}

/** Returns the number in a field; other text as typed, to be refused; null for an empty field. */
export const numberIn = (fields: Fields, name: string): number | string | null =>
  numberOf(textOf(fields, name))

/** Returns the number in a typed text, as `numberIn` does for a field. */
export function numberOf(typed: string | null): number | string | null {
  const number = typed === null ? Number.NaN : Number(typed.replace(',', '.'))
  return Number.isNaN(number) ? typed : number
}

/** Returns whether a box is ticked. */
export const isTicked = (fields: Fields, name: string): boolean =>
  listIn(fields, name).includes('true')

/** Returns whether a field is as the form showed it, according to a hidden field beside it. */
export const isUntouched = (fields: Fields, name: string): boolean =>
  `${name}Before` in fields &&
  listIn(fields, name).join('\n') === listIn(fields, `${name}Before`).join('\n')

/** The format in which a browser sends date and time. */
const TYPED = "yyyy-MM-dd'T'HH:mm"

/**
 * Returns the instant of a typed date and time, the earlier one if the clocks go back and the time
 * occurs twice. Returns other text as typed, to be refused; null for an empty field.
 */
export function instantIn(fields: Fields, name: string, zone: string): string | null {
  const typed = textOf(fields, name)
  if (typed === null) return null
  const [first] = DateTime.fromISO(typed, { zone }).getPossibleOffsets()
  return first.toUTC().toISO() ?? typed
}

/** Returns an instant as a field of date and time holds it. */
export const typedInstant = (instant: Instant, zone: string): string =>
  DateTime.fromISO(instant, { zone }).toFormat(TYPED)

/** Values of a form's fields: those typed if it is shown again, otherwise those stored. */
export class FormState {
  readonly #typed: Typed | Refused | null
  /** Everything that is wrong with the form, each with the field to correct. */
  readonly errors: readonly Fault[]

  /**
   * @param action the address of the form, as another form of the page may have been sent; several
   *   if its buttons send it to different addresses
   * @param fieldFor the field that a pointer into the body leads to
   */
  constructor(
    typed: Typed | Refused | null,
    action: string | readonly string[],
    fieldFor: (pointer: string) => string | null = fieldOf
  ) {
    this.#typed = typed && [action].flat().includes(typed.action) ? typed : null
    this.errors = errorsOf(this.#typed).map(({ pointer, message }) => {
      const field = pointer === undefined ? null : fieldFor(pointer)
      return { message: faultText(message, field), field }
    })
  }

  text(name: string, stored = ''): string {
    if (!this.#typed) return stored
    const given = this.#typed.fields[name]
    return typeof given === 'string' ? given : ''
  }

  /** Returns the values of a field that is given several times. */
  list(name: string, stored: readonly string[]): readonly string[] {
    return this.#typed ? listIn(this.#typed.fields, name) : stored
  }

  /** Returns whether one of several choices with the same name is selected. */
  has(name: string, value: string, stored: boolean): boolean {
    return this.#typed ? listIn(this.#typed.fields, name).includes(value) : stored
  }

  /** The submitted fields; empty unless the form was sent. */
  get typed(): Fields {
    return this.#typed?.fields ?? {}
  }

  /** Returns the fault of a field; null for none. */
  error(name: string): string | null {
    const own = this.errors.filter(({ field }) => field === name)
    return own.length > 0 ? own.map(({ message }) => message).join(' ') : null
  }
}

const errorsOf = (typed: Typed | Refused | null) =>
  typed && 'problem' in typed ? (typed.problem.extras.errors ?? []) : []
