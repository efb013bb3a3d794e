import type { Database } from '@adonisjs/lucid/database'
import type { ClientBase } from 'pg'
import { poolOf, type Question } from './connections.js'
import { answerAll, AskedTogether, type Waiting } from './asked_together.js'
import { askAll, query } from './postgres_statements.js'
import type { SelectRunner, SingleChanges } from './runner.js'
import { rowOf, type Bindings, type Change, type Select } from './statement.js'
import type { Stored } from './table.js'

/** Maximum number of pool connections that statements outside of transactions use at a time. */
const MOST_LANES = 4
/** Further connections, opened when all others have a slow SELECT. */
const MOST_BESIDE = 2
/** Expected maximum duration of a SELECT, in milliseconds; a longer one counts as slow. */
const SLOW_MS = 100

/** A connection of the pool while SELECTs are under way on it. */
interface Lane {
  connection: Promise<ClientBase>
  underWay: number
  /** The time of the last answer, or of the start: since then the next one is awaited. */
  since: number
}

/**
 * Runs statements outside of transactions.
 *
 * Each gets its own connection of the pool while more lanes may be opened; after that they share
 * the lanes, which answer in order. The SELECTs of one requester within one turn of the event loop
 * are sent as one statement, in which a SELECT with several sets of bindings is written once.
 */
export class PostgresPoolRunner implements SelectRunner, SingleChanges {
  readonly #lanes: Lane[] = []

  constructor(private readonly database: Database) {}

  async rows<Row>(statement: Select<Row>, bindings: Bindings): Promise<Row[]> {
    const [found] = await this.#ask([{ statement, bindings }])
    return found.map((values) => rowOf<Row>(statement.columns, values))
  }

  ofOne(): SelectRunner {
    const together = new AskedTogether<Question>((waiting) => this.#send(waiting), setImmediate)
    return {
      async rows<Row>(statement: Select<Row>, bindings: Bindings) {
        const found = await together.ask<Stored[][]>({ statement, bindings }, statement)
        return found.map((values) => rowOf<Row>(statement.columns, values))
      },
    }
  }

  #send(waiting: readonly Waiting<Question>[]): void {
    answerAll(waiting, () => this.#ask(waiting.map(({ asked }) => asked)))
  }

  async change<Row>(statement: Change<Row>, bindings: Bindings): Promise<Row[]> {
    const { rows } = await this.#onLane((connection) => query(connection, statement, bindings))
    return rows.map((values) => rowOf<Row>(statement.returning, values))
  }

  #ask(questions: readonly Question[]): Promise<Stored[][][]> {
    return this.#onLane((connection) => askAll(connection, questions, 'asOne'))
  }

  async #onLane<Answer>(ask: (connection: ClientBase) => Promise<Answer>): Promise<Answer> {
    const lane = this.#lane()
    lane.underWay += 1
    try {
      return await ask(await lane.connection)
    } finally {
      lane.underWay -= 1
      lane.since = performance.now()
      if (lane.underWay === 0) await this.#close(lane)
    }
  }

  /** The lane with the least under way; one with a slow SELECT only if there is no other. */
  #lane(): Lane {
    const now = performance.now()
    const quick = this.#lanes.filter(({ since }) => now - since < SLOW_MS)
    const most = quick.length > 0 ? MOST_LANES : MOST_LANES + MOST_BESIDE
    if (this.#lanes.length < most) return this.#open(now)
    const lanes = quick.length > 0 ? quick : this.#lanes
    return lanes.reduce((least, lane) => (lane.underWay < least.underWay ? lane : least))
  }

  #open(since: number): Lane {
    const connection = poolOf<ClientBase>(this.database).acquireConnection()
    const opened = { connection, underWay: 0, since }
    this.#lanes.push(opened)
    return opened
  }

  async #close(lane: Lane) {
    this.#lanes.splice(this.#lanes.indexOf(lane), 1)
    await poolOf<ClientBase>(this.database).releaseConnection(await lane.connection)
  }
}
