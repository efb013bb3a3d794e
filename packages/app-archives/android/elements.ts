import { LIMITS } from '../limits.ts'
import { Unreadable } from '../unreadable.ts'

/** A value of an attribute or a resource; what nobody asks for is `other`. */
export type AndroidValue =
  | { kind: 'text'; text: string }
  | { kind: 'reference'; id: number }
  | { kind: 'number'; value: number }
  | { kind: 'flag'; value: boolean }
  | { kind: 'other' }

/** An element of a manifest, whichever way it is written down. */
export interface AndroidElement {
  name: string
  /** From 1. */
  depth: number
  /**
   * The value of an attribute.
   * @param id its resource id, which stays when names are stripped; null for one of no namespace
   */
  attribute(id: number | null, name: string): AndroidValue | null
}

/** Ids of the attributes that are asked for, as the platform publishes them (android.R.attr). */
export const ATTRIBUTE = {
  label: 0x01010001,
  icon: 0x01010002,
  name: 0x01010003,
  permission: 0x01010006,
  readPermission: 0x01010007,
  writePermission: 0x01010008,
  exported: 0x01010010,
  required: 0x0101028e,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  targetSdkVersion: 0x01010270,
  roundIcon: 0x0101052c,
  versionCodeMajor: 0x01010576,
} as const

/** Access to Android resources, which a manifest names by id. */
export interface AndroidResources {
  /** Every value of a resource, one for each configuration of a device. */
  candidates(id: number): Iterable<Candidate>
}

export const NO_RESOURCES: AndroidResources = { candidates: () => [] }

/** A value of a resource for devices of a kind. */
export interface Candidate {
  /** True if it applies to any language. */
  isAnyLanguage: boolean
  /** Dots per inch; 0 for any. */
  density: number
  value: AndroidValue
}

/** Counts elements, and how deep they are nested. @throws Unreadable */
export class ElementBudget {
  #count = 0
  readonly #called: string

  constructor(called: string) {
    this.#called = called
  }

  spend(depth: number): void {
    this.#count += 1
    if (depth > LIMITS.depth) throw new Unreadable(`${this.#called} is nested too deeply.`)
    if (this.#count > LIMITS.elements) {
      throw new Unreadable(`${this.#called} holds too many elements.`)
    }
  }
}
