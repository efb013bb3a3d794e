import { lengthOf } from '#foundation/core/text'
import type { MapEntry, YamlNode } from '../yaml/tree.js'
import type { Path } from './path.js'
import { ProblemList, either, quote, type Location } from './problems.js'

/** A value of the file with its location. */
export interface Spot extends Location {
  node: YamlNode
}

/** A key chosen by the author, with its value. */
export interface KeyedSpot {
  key: string
  /** The location of the key. `value` may be elsewhere. */
  keyAt: Location
  value: Spot
}

/** The known fields that an object contains, by name. */
export type Fields<Name extends string> = Partial<Record<Name, Spot>>

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
  fields<Name extends string>(spot: Spot, names: readonly Name[]): Fields<Name> | undefined {
    const { node } = spot
    if (node.kind !== 'map') {
      this.#wrongType(spot, `a map with ${either(names)}`)
      return undefined
    }
    const fields: Fields<Name> = {}
    const unknown: MapEntry[] = []
    for (const entry of node.entries) {
      const name = names.find((known) => known === entry.key)
      if (name) fields[name] = within(spot, entry)
      else unknown.push(entry)
    }
    if (unknown.length > 0) this.#unknownKeys(spot, unknown, names, fields)
    return fields
  }

  /** Reads a map whose keys the author chooses. */
  entries(spot: Spot, what: string, max: number): KeyedSpot[] {
    const { node } = spot
    if (node.kind !== 'map') {
      this.#wrongType(spot, `a map from ${what}`)
      return []
    }
    if (!this.#fits(spot, node.entries.length, max)) return []
    return node.entries.flatMap((entry) => {
      const keyAt = keyLocation(spot, entry)
      return this.#goodText(keyAt, entry.key, MAX_KEY)
        ? [{ key: entry.key, keyAt, value: within(spot, entry) }]
        : []
    })
  }

  items(spot: Spot, what: string, max: number): Spot[] {
    const { node } = spot
    if (node.kind !== 'list') {
      this.#wrongType(spot, `a list of ${what}`)
      return []
    }
    if (!this.#fits(spot, node.items.length, max)) return []
    return node.items.map((item, index) => ({
      node: item,
      path: [...spot.path, index],
      place: item,
    }))
  }

  /** Reads a line of text. Numbers keep their spelling, so `1.10` stays `1.10`. */
  text(spot: Spot, max = MAX_TEXT): string | undefined {
    const { node } = spot
    if (node.kind !== 'scalar' || node.value === null) {
      return this.#wrongType(spot, 'text')
    }
    if (typeof node.value === 'boolean') {
      return this.#wrongType(spot, `text; put ${node.source} in quotes if the word is meant`)
    }
    const text = typeof node.value === 'string' ? node.value : node.source
    return this.#goodText(spot, text, max) ? text : undefined
  }

  texts(spot: Spot, what: string, max: number): string[] {
    return this.items(spot, what, max).flatMap((item) => this.text(item) ?? [])
  }

  flag(spot: Spot): boolean | undefined {
    const { node } = spot
    if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value
    return this.#wrongType(spot, 'true or false')
  }

  /** Reads a whole number within bounds. */
  integer(spot: Spot, min: number, max: number): number | undefined {
    const { node } = spot
    if (node.kind !== 'scalar' || typeof node.value !== 'number') {
      return this.#wrongType(spot, 'a number')
    }
    const { value } = node
    if (Number.isInteger(value) && value >= min && value <= max) return value
    this.problems.add(spot, 'out_of_range', `Has to be a whole number from ${min} to ${max}`)
    return undefined
  }

  /** Reads a number within bounds, whole or not. */
  number(spot: Spot, min: number, max: number): number | undefined {
    const { node } = spot
    if (node.kind !== 'scalar' || typeof node.value !== 'number') {
      return this.#wrongType(spot, 'a number')
    }
    const { value } = node
    if (value >= min && value <= max) return value
    this.problems.add(spot, 'out_of_range', `Has to be a number from ${min} to ${max}`)
    return undefined
  }

  /** @param likely the values to suggest after a typo; all of them by default */
  choice<Value extends string>(
    spot: Spot,
    values: readonly Value[],
    likely: readonly string[] = values
  ): Value | undefined {
    const text = this.text(spot)
    if (text === undefined) return undefined
    const value = values.find((known) => known === text)
    if (value === undefined) {
      const message = `${quote(text)} is not known here; it is one of ${values.join(', ')}`
      this.problems.addUnknown(spot, 'unknown_value', message, text, likely)
    }
    return value
  }

  /** Reads a required field. A missing field is a problem of the object around it. */
  required<Value>(
    owner: Location,
    name: string,
    spot: Spot | undefined,
    read: (spot: Spot) => Value | undefined
  ): Value | undefined {
    if (spot && !isNull(spot)) return read(spot)
    const at = spot ?? { path: [...owner.path, name], place: owner.place }
    this.problems.add(at, 'required', `${name} is required`)
    return undefined
  }

  /** Reads an optional field. Null when the file clears it, undefined when it is absent. */
  optional<Value>(
    spot: Spot | undefined,
    read: (spot: Spot) => Value | undefined
  ): Value | null | undefined {
    if (!spot) return undefined
    return isNull(spot) ? null : read(spot)
  }

  /** Reports unknown keys. Suggests a known key that the map does not have yet. */
  #unknownKeys<Name extends string>(
    spot: Spot,
    entries: readonly MapEntry[],
    known: readonly Name[],
    fields: Fields<Name>
  ): void {
    const free = known.filter((name) => !fields[name])
    const keys = known.join(', ')
    for (const entry of entries) {
      const message = `${quote(entry.key)} is not known here; the keys are ${keys}`
      this.problems.addUnknown(keyLocation(spot, entry), 'unknown_key', message, entry.key, free)
    }
  }

  #wrongType(spot: Spot, wanted: string): undefined {
    this.problems.add(spot, 'wrong_type', `Has to be ${wanted}, not ${describe(spot.node)}`)
    return undefined
  }

  #fits(spot: Spot, count: number, max: number): boolean {
    if (count <= max) return true
    this.problems.add(spot, 'too_many', `Holds ${count} entries, at most ${max} are allowed`)
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

export function isNull(spot: Spot): boolean {
  return spot.node.kind === 'scalar' && spot.node.value === null
}

/** Returns the location of a map entry: its key. A key that is too long is left out of the path. */
function keyLocation(spot: Spot, entry: MapEntry): Location {
  const isShown = entry.key.length <= MAX_SHOWN_KEY
  return { path: isShown ? [...spot.path, entry.key] : spot.path, place: entry }
}

function within(spot: Spot, entry: MapEntry): Spot {
  const path: Path = [...spot.path, entry.key]
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
