import type { Fields, Refused } from './page.js'
import { fieldsOf } from './refusal.js'

/** Returns what was typed into a field; null for a field that is empty, missing or given twice. */
export function textOf(fields: Fields, name: string): string | null {
  const given = fields[name]
  return typeof given === 'string' && given.trim() !== '' ? given.trim() : null
}

/**
 * Returns a field as it was typed, with the line breaks of files; of several, such as a text and a
 * file of one name, the last that is there. Null for none.
 */
export function rawTextOf(fields: Fields, name: string): string | null {
  const given = listIn(fields, name).findLast((each) => each.trim() !== '')
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

  /** Whether the form was sent, and refused. */
  get isRefused(): boolean {
    return this.#refused !== null
  }

  /** What was typed; nothing unless it was refused. */
  get typed(): Fields {
    return this.#refused?.fields ?? {}
  }

  /** Returns the fault of a field, or of something within it; null for none. */
  error(name: string): string | null {
    return this.#errorOf((pointer) => fieldsOf(pointer).includes(name))
  }

  /** Returns the fault of a group of fields itself; null for none. */
  errorAt(name: string): string | null {
    return this.#errorOf((pointer) => fieldsOf(pointer)[0] === name)
  }

  #errorOf(isOwn: (pointer: string) => boolean): string | null {
    const faults = this.#refused?.problem.extras.errors ?? []
    const own = faults.filter(({ pointer }) => pointer !== undefined && isOwn(pointer))
    return own.length > 0 ? own.map(({ message }) => message).join(' ') : null
  }
}
