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
  readonly #results = new Map<string, unknown>()

  /** What the database calls its present state; undefined where that is not known. */
  get state(): unknown {
    return this.#state
  }

  /** The database is in this state: what was kept of another one goes. */
  at(state: unknown): void {
    if (state === this.#state) return
    this.forget()
    this.#state = state
  }

  find<Row>(question: string): Row[] | undefined {
    const rows = this.#results.get(question) as Row[] | undefined
    return rows && [...rows]
  }

  /** What was made of rows at this state, as `keepMade` was given it. */
  findMade(question: string): unknown {
    return this.#results.get(question)
  }

  /** Keeps what nobody changes, unless it is too large. @param size in characters, about */
  keepMade(question: string, made: unknown, size: number): void {
    const characters = size + question.length
    if (characters > KEPT_CHARACTERS_EACH) return
    if (this.#characters + characters > KEPT_CHARACTERS) this.#empty()
    this.#results.set(question, made)
    this.#characters += characters
  }

  /** Freezes rows and keeps them, if they are not too many. @param size in characters, about */
  keep<Row>(question: string, rows: Row[], size: number): Row[] {
    const shared = rows.map(frozen)
    this.keepMade(question, shared, size)
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
