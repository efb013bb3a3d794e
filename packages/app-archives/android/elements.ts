import { LIMITS } from '../limits.ts'
import { Unreadable } from '../unreadable.ts'

/** A value of an attribute or a resource; kinds that are not needed are `other`. */
export type AndroidValue =
  | { kind: 'text'; text: string }
  | { kind: 'reference'; id: number }
  | { kind: 'number'; value: number }
  | { kind: 'flag'; value: boolean }
  | { kind: 'other' }

/** An element of a manifest, independent of the manifest's format. */
export interface AndroidElement {
  name: string
  /** The root has 1. */
  depth: number
  /**
   * Returns the value of an attribute; null if it is absent.
   * @param id its resource id, which remains if names are stripped; null without a namespace
   */
  attribute(id: number | null, name: string): AndroidValue | null
}

/** The resource ids of the attributes that are read (android.R.attr). */
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

/** Access to Android resources, which a manifest references by id. */
export interface AndroidResources {
  /** Returns the values of a resource, one for each device configuration. */
  candidates(id: number): Iterable<Candidate>
}

export const NO_RESOURCES: AndroidResources = { candidates: () => [] }

/** A value of a resource for one device configuration. */
export interface Candidate {
  /** True if it applies to any language. */
  isAnyLanguage: boolean
  /** Dots per inch; 0 for any. */
  density: number
  value: AndroidValue
}

/** Limits the number of elements and the depth of their nesting. */
export class ElementBudget {
  #count = 0
  readonly #called: string

  constructor(called: string) {
    this.#called = called
  }

  /** @throws Unreadable if a limit is exceeded */
  spend(depth: number): void {
    this.#count += 1
    if (depth > LIMITS.depth) throw new Unreadable(`${this.#called} is nested too deeply.`)
    if (this.#count > LIMITS.elements) {
      throw new Unreadable(`${this.#called} holds too many elements.`)
    }
  }
}
