/** Most characters of all kept results together, and of one that is worth keeping. */
const KEPT_CHARACTERS = 16 * 1024 * 1024
const KEPT_CHARACTERS_EACH = 128 * 1024

/**
 * Results of SELECTs at one state of the database, whose name is given by the database itself.
 * Several askers get the same rows, which are frozen, JSON within them too.
 */
export class KeptResults {
  #state: unknown
  #characters = 0
  readonly #results = new Map<string, readonly unknown[]>()

  /** The database is in this state: what was kept of another one goes. */
  at(state: unknown): void {
    if (state === this.#state) return
    this.forget()
    this.#state = state
  }

  find<Row>(question: string): Row[] | undefined {
    const rows = this.#results.get(question)
    return rows && ([...rows] as Row[])
  }

  /** Freezes rows and keeps them, if they are not too many. @param size in characters, about */
  keep<Row>(question: string, rows: Row[], size: number): Row[] {
    const shared = rows.map(frozen)
    const characters = size + question.length
    if (characters > KEPT_CHARACTERS_EACH) return shared
    if (this.#characters + characters > KEPT_CHARACTERS) this.#empty()
    this.#results.set(question, shared)
    this.#characters += characters
    return [...shared]
  }

  forget(): void {
    this.#empty()
    this.#state = undefined
  }

  #empty() {
    this.#results.clear()
    this.#characters = 0
  }
}

/** What several get must not be changed by one. */
function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) frozen(member)
  }
  return value
}
