import { Problem, refuseFields, type ProblemPlace } from './problem.js'

/** The errors of one input, collected by all checks, so that one answer lists them all. */
export class InputErrors {
  readonly #places: ProblemPlace[] = []
  /** Pointers to broken members and to everything that contains one. */
  readonly #malformed = new Set<string>()

  /** @param broken JSON pointers to members that were removed because of their wrong shape */
  constructor(broken: readonly string[] = []) {
    if (broken.length > 0) this.#malformed.add('')
    for (const pointer of broken) {
      for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
        this.#malformed.add(pointer.slice(0, end))
      }
    }
  }

  /**
   * Returns whether a member has a valid shape or is absent. No other rule should judge a malformed
   * member.
   */
  isWellFormed(pointer: string): boolean {
    return !this.#malformed.has(pointer)
  }

  add(...places: ProblemPlace[]): void {
    this.#places.push(...places)
  }

  /**
   * Runs a check and adds the places of its invalid_input.
   * @returns the result of the check; undefined if it refused
   * @throws every problem but invalid_input
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

  /** @throws invalid_input with all collected errors, if there are any */
  throwIfAny(): void {
    if (this.#places.length > 0) throw refuseFields(this.#places)
  }
}

/** An input without its malformed members; in lists, undefined takes their place. */
export type PartiallyValid<Value> = Value extends readonly (infer Entry)[]
  ? readonly (PartiallyValid<Entry> | undefined)[]
  : Value extends object
    ? { [Name in keyof Value]?: PartiallyValid<Value[Name]> }
    : Value
