import { DateTime } from 'luxon'
import type { Instant } from '#foundation/core/clock'
import type { Fault, Fields, Refused, Typed } from './page.js'
import { faultText } from '../words/plain.js'
import { fieldOf } from './refusal.js'

/** The field with the places of what is stored and to be forgotten. */
export const FORGET = 'forget'

/** Returns what was typed into a field; null for a field that is empty, missing or given twice. */
export function textOf(fields: Fields, name: string): string | null {
  const given = fields[name]
  return typeof given === 'string' && given.trim() !== '' ? given.trim() : null
}

/** Returns a text of several lines; browsers send other ends of lines than files have. */
export function textWithin(fields: Fields, name: string): string {
  const given = fields[name]
  return typeof given === 'string' ? given.replaceAll('\r\n', '\n') : ''
}

/**
 * Returns a field as it was typed; of several, such as a text and a file of one name, the last that
 * is there. Null for none.
 */
export function rawTextOf(fields: Fields, name: string): string | null {
  const given = listIn(fields, name).findLast(
    (each) => typeof each === 'string' && each.trim() !== ''
  )
  return given === undefined ? null : given.replaceAll('\r\n', '\n')
}

/** Returns a field that may be given several times, as checkboxes of one name are. */
export function listIn(fields: Fields, name: string): string[] {
  const given = fields[name] ?? []
  return typeof given === 'string' ? [given] : Object.values(given)
}

/** Returns the lines of a field. */
export function linesIn(fields: Fields, name: string): string[] {
  return (textOf(fields, name) ?? '')
    .split(/[\s,;]+/)
    .map((line) => line.trim())
    .filter(Boolean)
}

/** Returns the number in a field; what is none is sent as it is, to be refused. Null for nothing. */
export const numberIn = (fields: Fields, name: string): number | string | null =>
  numberOf(textOf(fields, name))

/** The same of what was typed. */
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
 * Returns the instant of a date and time that were typed, the first of a time that comes twice; what
 * cannot be read is sent as it is, to be refused. Null for nothing.
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

/** Values of the fields of a form: those typed, once it is shown again, else those stored. */
export class FormState {
  readonly #typed: Typed | Refused | null
  /** All that is wrong with the form, with the field to mend. */
  readonly faults: readonly Fault[]

  /**
   * @param action the address of the form, as another one of the page may have been sent; several
   *   for a form that is sent to one of them
   * @param fieldFor the field that a pointer into the body leads to
   */
  constructor(
    typed: Typed | Refused | null,
    action: string | readonly string[],
    fieldFor: (pointer: string) => string | null = fieldOf
  ) {
    this.#typed = typed && [action].flat().includes(typed.action) ? typed : null
    this.faults = errorsOf(this.#typed).map(({ pointer, message }) => {
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

  /** Returns whether one of several choices of a name is made. */
  has(name: string, value: string, stored: boolean): boolean {
    return this.#typed ? listIn(this.#typed.fields, name).includes(value) : stored
  }

  /** The submitted fields; empty unless the form was sent. */
  get typed(): Fields {
    return this.#typed?.fields ?? {}
  }

  /** Returns the fault of a field; null for none. */
  error(name: string): string | null {
    const own = this.faults.filter(({ field }) => field === name)
    return own.length > 0 ? own.map(({ message }) => message).join(' ') : null
  }
}

const errorsOf = (typed: Typed | Refused | null) =>
  typed && 'problem' in typed ? (typed.problem.extras.errors ?? []) : []
