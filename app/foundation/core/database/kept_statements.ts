/** Number of statements that a connection keeps prepared: several times what the code has. */
const MAX_PREPARED = 1000

/**
 * A least-recently-used cache of prepared statements. It needs a limit because a list of ids makes
 * another text for every length.
 */
export class KeptStatements<Statement> {
  readonly #statements = new Map<string, Statement>()

  constructor(private readonly most = MAX_PREPARED) {}

  find(sql: string): Statement | undefined {
    const found = this.#statements.get(sql)
    if (found === undefined) return undefined
    // A map keeps the order of insertion: the most recently used is at the end.
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
