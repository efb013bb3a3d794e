import type { Database } from '@adonisjs/lucid/database'
import type { ClientBase } from 'pg'
import { poolOf, type BoundSelect } from './connections.js'
import { settleAll, SelectBatcher, type Waiting } from './select_batcher.js'
import { askAll, query } from './postgres_statements.js'
import type { SelectRunner, SingleChanges } from './runner.js'
import { rowOf, type Bindings, type Change, type Select } from './statement.js'
import type { Stored } from './table.js'

/** Maximum number of pool connections that statements outside of transactions use at a time. */
const MAX_LANES = 4
/** Maximum number of further connections, opened while each of the others has a slow SELECT. */
const MAX_EXTRA_LANES = 2
/** Expected maximum duration of a SELECT, in milliseconds; a longer one counts as slow. */
const SLOW_MS = 100

/** A connection of the pool while SELECTs are under way on it. */
interface Lane {
  connection: Promise<ClientBase>
  underWay: number
  /** When the last answer came, or when the lane was opened if none has come. */
  lastAnswerAt: number
}

/**
 * Runs statements outside of transactions.
 *
 * Each gets its own connection of the pool until the maximum number of lanes is open; after that
 * they share lanes, which answer in order. The SELECTs of one requester within one turn of the
 * event loop are sent as one statement, which contains a SELECT with several sets of bindings once.
 */
export class PostgresPoolRunner implements SelectRunner, SingleChanges {
  readonly #lanes: Lane[] = []

  constructor(private readonly database: Database) {}

  async rows<Row>(statement: Select<Row>, bindings: Bindings): Promise<Row[]> {
    const [found] = await this.#ask([{ statement, bindings }])
    return found.map((values) => rowOf<Row>(statement.columns, values))
  }

  forRequester(): SelectRunner {
    const batcher = new SelectBatcher<BoundSelect>((waiting) => this.#send(waiting), setImmediate)
    return {
      async rows<Row>(statement: Select<Row>, bindings: Bindings) {
        const found = await batcher.add<Stored[][]>({ statement, bindings }, statement)
        return found.map((values) => rowOf<Row>(statement.columns, values))
      },
    }
  }

  #send(waiting: readonly Waiting<BoundSelect>[]): void {
    settleAll(waiting, () => this.#ask(waiting.map((each) => each.query)))
  }

  async change<Row>(statement: Change<Row>, bindings: Bindings): Promise<Row[]> {
    const { rows } = await this.#onLane((connection) => query(connection, statement, bindings))
    return rows.map((values) => rowOf<Row>(statement.returning, values))
  }

  #ask(selects: readonly BoundSelect[]): Promise<Stored[][][]> {
    return this.#onLane((connection) => askAll(connection, selects, 'merged'))
  }

  async #onLane<Result>(ask: (connection: ClientBase) => Promise<Result>): Promise<Result> {
    const lane = this.#lane()
    lane.underWay += 1
    try {
      return await ask(await lane.connection)
    } finally {
      lane.underWay -= 1
      lane.lastAnswerAt = performance.now()
      if (lane.underWay === 0) await this.#close(lane)
    }
  }

  /**
   * Returns the lane with the least under way, or a new one while more may be opened. It has a slow
   * SELECT only if all lanes have one.
   */
  #lane(): Lane {
    const now = performance.now()
    const quick = this.#lanes.filter(({ lastAnswerAt }) => now - lastAnswerAt < SLOW_MS)
    const max = quick.length > 0 ? MAX_LANES : MAX_LANES + MAX_EXTRA_LANES
    if (this.#lanes.length < max) return this.#open(now)
    const lanes = quick.length > 0 ? quick : this.#lanes
    return lanes.reduce((least, lane) => (lane.underWay < least.underWay ? lane : least))
  }

  #open(now: number): Lane {
    const connection = poolOf<ClientBase>(this.database).acquireConnection()
    const opened = { connection, underWay: 0, lastAnswerAt: now }
    this.#lanes.push(opened)
    return opened
  }

  async #close(lane: Lane) {
    this.#lanes.splice(this.#lanes.indexOf(lane), 1)
    await poolOf<ClientBase>(this.database).releaseConnection(await lane.connection)
  }
}
