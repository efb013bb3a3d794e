import type { ClientBase } from 'pg'
import { settleAll, SelectBatcher, type Waiting } from './select_batcher.js'
import type { BoundSelect } from './connections.js'
import { requireOpen } from './lend_client.js'
import { askAll, query } from './postgres_statements.js'
import type { StatementRunner } from './runner.js'
import type { SharedReads } from './shared_reads.js'
import { rowOf, type Bindings, type Change, type Select } from './statement.js'
import type { Stored } from './table.js'

/** Returns whether a SELECT locks its rows, and must therefore keep its place among the changes. */
const locks = ({ rest }: Select) => /\bfor (update|share)\b/.test(rest)

/**
 * Runs statements on the connection of a transaction. It pipelines them: each is sent before the
 * previous ones are answered. SELECTs of one turn of the event loop are sent as one statement,
 * ahead of the next change.
 */
export class PostgresRunner implements StatementRunner {
  readonly #sent: Promise<unknown>[] = []
  readonly #batcher = new SelectBatcher<BoundSelect>((waiting) => this.#ask(waiting))

  /**
   * @param begun the answer to the BEGIN; it may be under way while the first rows are asked for
   * @param shared reads that other members of the same transaction have made
   */
  constructor(
    private readonly connection: ClientBase,
    private readonly begun: Promise<unknown>,
    private readonly isOver: () => boolean,
    private readonly shared?: SharedReads
  ) {}

  async rows<Row>(statement: Select<Row>, bindings: Bindings): Promise<Row[]> {
    requireOpen(!this.isOver())
    const found = await this.#rows({ statement, bindings })
    return found.map((values) => rowOf<Row>(statement.columns, values))
  }

  #rows(select: BoundSelect): Promise<Stored[][]> {
    const known = this.shared?.find(select)
    if (known) return known
    if (!locks(select.statement)) return this.#batcher.add<Stored[][]>(select)
    this.#batcher.send()
    const locked = query(this.connection, select.statement, select.bindings)
    const rows = locked.then((result) => result.rows)
    this.shared?.keepLocked(select, rows)
    return rows
  }

  async change<Row>(statement: Change<Row>, bindings: Bindings) {
    await this.begun
    const { rows, rowCount } = await this.#change(statement, bindings)
    return {
      rows: rows.map((values) => rowOf<Row>(statement.returning, values)),
      count: rowCount ?? 0,
    }
  }

  async send(statement: Change, bindings: Bindings): Promise<void> {
    await this.begun
    const sent = this.#change(statement, bindings)
    sent.catch(() => {})
    this.#sent.push(sent)
  }

  /** Waits for all sent changes. @throws the first failure: later ones follow from it */
  async arrived(): Promise<void> {
    await Promise.all(this.#sent)
  }

  /** Sends the SELECTs that wait for the end of this turn. */
  sendAsked(): void {
    this.#batcher.send()
  }

  /** Sends the change within this turn; later the transaction might have ended. */
  #change(statement: Change, bindings: Bindings) {
    requireOpen(!this.isOver())
    this.#batcher.send()
    const changed = query(this.connection, statement, bindings)
    this.shared?.changed(statement)
    return changed
  }

  #ask(waiting: readonly Waiting<BoundSelect>[]): void {
    settleAll(waiting, async () => {
      requireOpen(!this.isOver())
      return askAll(
        this.connection,
        waiting.map((each) => each.query)
      )
    })
    this.shared?.askForNext(this.connection)
  }
}
