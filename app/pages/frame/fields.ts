import { DateTime } from 'luxon'
import type { Instant } from '#foundation/core/clock'
import type { Fields, Refused } from './page.js'
import { fieldOf } from './refusal.js'

/** Returns what was typed into a field; null for a field that is empty, missing or given twice. */
export function textOf(fields: Fields, name: string): string | null {
  const given = fields[name]
  return typeof given === 'string' && given.trim() !== '' ? given.trim() : null
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
export function numberIn(fields: Fields, name: string): number | string | null {
  const given = textOf(fields, name)
  return given === null || Number.isNaN(Number(given)) ? given : Number(given)
}

/** Returns whether a box is ticked. */
export const isTicked = (fields: Fields, name: string): boolean =>
  listIn(fields, name).includes('true')

/** How a browser sends date and time. */
const TYPED = "yyyy-MM-dd'T'HH:mm"

/**
 * Returns the instant of a date and time that were typed; what cannot be read is sent as it is, to
 * be refused. Null for nothing.
 */
export function instantIn(fields: Fields, name: string, zone: string): string | null {
  const typed = textOf(fields, name)
  return typed && (DateTime.fromISO(typed, { zone }).toUTC().toISO() ?? typed)
}

/** Returns an instant as a field of date and time holds it. */
export const typedInstant = (instant: Instant, zone: string): string =>
  DateTime.fromISO(instant, { zone }).toFormat(TYPED)

/** Values of the fields of a form: those typed, once it was refused, else those stored. */
export class FormState {
  readonly #refused: Refused | null

  /** @param action the address of the form, as another one of the page may have been refused */
  constructor(refused: Refused | null, action: string) {
    this.#refused = refused?.action === action ? refused : null
  }

  text(name: string, stored = ''): string {
    if (!this.#refused) return stored
    const given = this.#refused.fields[name]
    return typeof given === 'string' ? given : ''
  }

  /** Returns whether one of several choices of a name is made. */
  has(name: string, value: string, stored: boolean): boolean {
    return this.#refused ? listIn(this.#refused.fields, name).includes(value) : stored
  }

  /** Returns the fault of a field; null for none. */
  error(name: string): string | null {
    const faults = this.#refused?.problem.extras.errors ?? []
    const own = faults.filter(({ pointer }) => pointer !== undefined && fieldOf(pointer) === name)
    return own.length > 0 ? own.map(({ message }) => message).join(' ') : null
  }
}
