import type { Database } from '@adonisjs/lucid/database'
import type { ClientBase } from 'pg'
import { poolOf, type Question } from './connections.js'
import { answerAll, AskedTogether, type Waiting } from './asked_together.js'
import { askAll, query } from './postgres_statements.js'
import type { SelectRunner, SingleChanges } from './runner.js'
import { rowOf, type Bindings, type Change, type Select } from './statement.js'
import type { Stored } from './table.js'

/** Most connections of the pool that SELECTs outside of transactions use at a time. */
const MOST_LANES = 4
/** More that are opened beside lanes whose SELECT is slow. */
const MOST_BESIDE = 2
/** Expected maximum duration of a SELECT, in milliseconds; a longer one counts as slow. */
const SLOW_MS = 100

/** A connection of the pool while SELECTs are under way on it. */
interface Lane {
  connection: Promise<ClientBase>
  underWay: number
  /** Since when the next answer has been waited for. */
  since: number
}

/**
 * Runs statements outside of transactions.
 *
 * Each gets a connection of the pool to itself while there are lanes to open; beyond that they
 * share one, which answers them in turn. What one requester asks for within one turn of the event
 * loop goes out as one statement, in which a SELECT stands once, with whatever it is asked.
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

  /** The lane with the least under way; behind a slow SELECT waits who finds no other. */
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
