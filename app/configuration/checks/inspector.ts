import { lengthOf } from '#foundation/core/text'
import { LOCAL_TIME } from '#planning/vocabulary'
import type { MapEntry, YamlNode } from '../yaml/tree.js'
import type { Path } from './path.js'
import { ProblemList, either, quote, type Location } from './problems.js'

/** A value of the file with its location. */
export interface Element extends Location {
  node: YamlNode
}

/** A key chosen by the author, with its value. */
export interface KeyedElement {
  key: string
  /** The location of the key. `value` may be elsewhere. */
  keyAt: Location
  value: Element
}

/** The known fields that an object contains, by name. */
export type Fields<Name extends string> = Partial<Record<Name, Element>>

const CONTROL = /[\p{Cc}\u2028\u2029]/u

/**
 * Reads values out of the tree and records their problems. Readers return `undefined` for an
 * invalid value, whose problem is then already recorded.
 */
export class Inspector {
  readonly problems = new ProblemList()

  /**
   * Reads an object with known fields. Any other key is a problem, so that a typo does not pass
   * silently.
   */
  fields<Name extends string>(element: Element, names: readonly Name[]): Fields<Name> | undefined {
    const { node } = element
    if (node.kind !== 'map') {
      this.#wrongType(element, `a map with ${either(names)}`)
      return undefined
    }
    const fields: Fields<Name> = {}
    const unknown: MapEntry[] = []
    for (const entry of node.entries) {
      const name = names.find((known) => known === entry.key)
      if (name) fields[name] = within(element, entry)
      else unknown.push(entry)
    }
    if (unknown.length > 0) this.#unknownKeys(element, unknown, names, fields)
    return fields
  }

  /** Reads a map whose keys the author chooses. */
  entries(element: Element, what: string, max: number): KeyedElement[] {
    const { node } = element
    if (node.kind !== 'map') {
      this.#wrongType(element, `a map from ${what}`)
      return []
    }
    if (!this.#fits(element, node.entries.length, max)) return []
    return node.entries.flatMap((entry) => {
      const keyAt = keyLocation(element, entry)
      return this.#goodText(keyAt, entry.key, MAX_KEY)
        ? [{ key: entry.key, keyAt, value: within(element, entry) }]
        : []
    })
  }

  items(element: Element, what: string, max: number): Element[] {
    const { node } = element
    if (node.kind !== 'list') {
      this.#wrongType(element, `a list of ${what}`)
      return []
    }
    if (!this.#fits(element, node.items.length, max)) return []
    return node.items.map((item, index) => ({
      node: item,
      path: [...element.path, index],
      place: item,
    }))
  }

  /** Reads a line of text. Numbers keep their spelling, so `1.10` stays `1.10`. */
  text(element: Element, max = MAX_TEXT): string | undefined {
    const { node } = element
    if (node.kind !== 'scalar' || node.value === null) {
      return this.#wrongType(element, 'text')
    }
    if (typeof node.value === 'boolean') {
      return this.#wrongType(element, `text; put ${node.source} in quotes if the word is meant`)
    }
    const text = typeof node.value === 'string' ? node.value : node.source
    return this.#goodText(element, text, max) ? text : undefined
  }

  /** Reads a local time as `HH:mm`. */
  localTime(element: Element): string | undefined {
    const text = this.text(element, 'HH:mm'.length)
    if (text === undefined || LOCAL_TIME.test(text)) return text
    this.problems.add(element, 'invalid_time', 'Has to be a local time like 09:30')
    return undefined
  }

  texts(element: Element, what: string, max: number): string[] {
    return this.items(element, what, max).flatMap((item) => this.text(item) ?? [])
  }

  flag(element: Element): boolean | undefined {
    const { node } = element
    if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value
    return this.#wrongType(element, 'true or false')
  }

  /** Reads a whole number within bounds. */
  integer(element: Element, min: number, max: number): number | undefined {
    const { node } = element
    if (node.kind !== 'scalar' || typeof node.value !== 'number') {
      return this.#wrongType(element, 'a number')
    }
    const { value } = node
    if (Number.isInteger(value) && value >= min && value <= max) return value
    this.problems.add(element, 'out_of_range', `Has to be a whole number from ${min} to ${max}`)
    return undefined
  }

  /** Reads a number within bounds, whole or not. */
  number(element: Element, min: number, max: number): number | undefined {
    const { node } = element
    if (node.kind !== 'scalar' || typeof node.value !== 'number') {
      return this.#wrongType(element, 'a number')
    }
    const { value } = node
    if (value >= min && value <= max) return value
    this.problems.add(element, 'out_of_range', `Has to be a number from ${min} to ${max}`)
    return undefined
  }

  /** @param likely the values to suggest after a typo; all of them by default */
  choice<Value extends string>(
    element: Element,
    values: readonly Value[],
    likely: readonly string[] = values
  ): Value | undefined {
    const text = this.text(element)
    if (text === undefined) return undefined
    const value = values.find((known) => known === text)
    if (value === undefined) {
      const message = `${quote(text)} is not known; use one of ${values.join(', ')}`
      this.problems.addUnknown(element, 'unknown_value', message, text, likely)
    }
    return value
  }

  /** Reads a required field. A missing field is a problem of the object around it. */
  required<Value>(
    owner: Location,
    name: string,
    element: Element | undefined,
    read: (element: Element) => Value | undefined
  ): Value | undefined {
    if (element && !isNull(element)) return read(element)
    const at = element ?? { path: [...owner.path, name], place: owner.place }
    this.problems.add(at, 'required', `${name} is required`)
    return undefined
  }

  /** Reads an optional field. Null when the file clears it, undefined when it is absent. */
  optional<Value>(
    element: Element | undefined,
    read: (element: Element) => Value | undefined
  ): Value | null | undefined {
    if (!element) return undefined
    return isNull(element) ? null : read(element)
  }

  /** Reports unknown keys. Suggests a known key that the map does not have yet. */
  #unknownKeys<Name extends string>(
    element: Element,
    entries: readonly MapEntry[],
    known: readonly Name[],
    fields: Fields<Name>
  ): void {
    const free = known.filter((name) => !fields[name])
    const keys = known.join(', ')
    for (const entry of entries) {
      const message = `${quote(entry.key)} is not a known key; the keys are ${keys}`
      this.problems.addUnknown(keyLocation(element, entry), 'unknown_key', message, entry.key, free)
    }
  }

  #wrongType(element: Element, wanted: string): undefined {
    this.problems.add(element, 'wrong_type', `Has to be ${wanted}, not ${describe(element.node)}`)
    return undefined
  }

  #fits(element: Element, count: number, max: number): boolean {
    if (count <= max) return true
    this.problems.add(element, 'too_many', `Holds ${count} entries, at most ${max} are allowed`)
    return false
  }

  #goodText(at: Location, text: string, max: number): boolean {
    const length = lengthOf(text)
    if (text.trim() === '') {
      this.problems.add(at, 'blank', 'Cannot be blank')
    } else if (length > max) {
      const message = `Holds ${length} characters, at most ${max} are allowed`
      this.problems.add(at, 'too_long', message)
    } else if (CONTROL.test(text) || !text.isWellFormed()) {
      this.problems.add(at, 'control_character', 'Holds a line break or another control character')
    } else {
      return true
    }
    return false
  }
}

const MAX_TEXT = 1000
const MAX_KEY = 100
const MAX_SHOWN_KEY = 200

export function isNull(element: Element): boolean {
  return element.node.kind === 'scalar' && element.node.value === null
}

/** Returns the location of a map entry: its key. A key that is too long is left out of the path. */
function keyLocation(element: Element, entry: MapEntry): Location {
  const isShown = entry.key.length <= MAX_SHOWN_KEY
  return { path: isShown ? [...element.path, entry.key] : element.path, place: entry }
}

function within(element: Element, entry: MapEntry): Element {
  const path: Path = [...element.path, entry.key]
  // The value is empty, so its problems are reported at its key.
  const { value } = entry
  const empty = value.kind === 'scalar' && value.value === null && value.source === ''
  return { node: entry.value, path, place: empty ? entry : entry.value }
}

function describe(node: YamlNode): string {
  if (node.kind === 'map') return 'a map'
  if (node.kind === 'list') return 'a list'
  if (node.value === null) return 'nothing'
  if (typeof node.value === 'string') return 'text'
  return typeof node.value === 'number' ? 'a number' : quote(node.source)
}
