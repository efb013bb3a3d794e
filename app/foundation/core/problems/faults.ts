import { Problem, refuseFields, type ProblemPlace } from './problem.js'

/** The faults of one input, collected by all checks, so that one answer lists them all. */
export class Faults {
  readonly #places: ProblemPlace[] = []
  /** Pointers of all that holds something broken, or is broken itself. */
  readonly #unsound = new Set<string>()

  /** @param broken JSON pointers of what is missing because its own shape is broken. */
  constructor(broken: readonly string[] = []) {
    if (broken.length > 0) this.#unsound.add('')
    for (const pointer of broken) {
      for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
        this.#unsound.add(pointer.slice(0, end))
      }
    }
  }

  /**
   * Returns whether a member, or its absence, has a valid shape. A rule about a malformed member
   * would only guess.
   */
  isSound(pointer: string): boolean {
    return !this.#unsound.has(pointer)
  }

  add(...places: ProblemPlace[]): void {
    this.#places.push(...places)
  }

  /**
   * Runs a check whose refusal is one of several.
   * @returns what it answers; undefined when it refuses
   * @throws every refusal but invalid_input
   */
  async collect<Result>(check: () => Result | Promise<Result>): Promise<Result | undefined> {
    try {
      return await check()
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'invalid_input') throw error
      this.add(...(error.extras.errors ?? []))
      return undefined
    }
  }

  get places(): readonly ProblemPlace[] {
    return this.#places
  }

  /** @throws invalid_input with everything that was gathered, if anything was */
  demandNone(): void {
    if (this.#places.length > 0) throw refuseFields(this.#places)
  }
}

/** An input without its members of the wrong shape; lists have holes in their place. */
export type PartiallyValid<Value> = Value extends readonly (infer Entry)[]
  ? readonly (PartiallyValid<Entry> | undefined)[]
  : Value extends object
    ? { [Name in keyof Value]?: PartiallyValid<Value[Name]> }
    : Value
