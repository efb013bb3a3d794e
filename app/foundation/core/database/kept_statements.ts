/** Statements that a connection keeps prepared: about as many as the code has, several times. */
const MOST = 1000

/**
 * The statements that were asked for last, prepared. Beyond those that fit, the one that nobody
 * has asked for the longest goes: lists of ids have a text for every length.
 */
export class KeptStatements<Statement> {
  readonly #statements = new Map<string, Statement>()

  constructor(private readonly most = MOST) {}

  find(sql: string): Statement | undefined {
    const found = this.#statements.get(sql)
    if (found === undefined) return undefined
    // A map is in the order of being set: what was asked for last is at its end.
    this.#statements.delete(sql)
    this.#statements.set(sql, found)
    return found
  }

  keep(sql: string, statement: Statement): Statement {
    this.#statements.set(sql, statement)
    if (this.#statements.size > this.most) {
      const [unused] = this.#statements.keys()
      this.#statements.delete(unused)
    }
    return statement
  }

  forget(): void {
    this.#statements.clear()
  }
}
