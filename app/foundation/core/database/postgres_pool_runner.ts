import type { Database } from '@adonisjs/lucid/database'
import type { ClientBase } from 'pg'
import { poolOf } from './connections.js'
import { KeptResults } from './kept_results.js'
import { AskedTogether, type Waiting } from './asked_together.js'
import { answerAll, prepare, query, queryTogether, type Question } from './postgres_runner.js'
import type { SelectRunner, Sized } from './runner.js'
import { as, rowOf, type Bindings, type Select } from './statement.js'
import { text, type Stored } from './table.js'

/** Most connections of the pool that SELECTs outside of transactions use at a time. */
const MOST_LANES = 4

/** A connection of the pool while SELECTs are under way on it. */
interface Lane {
  connection: Promise<ClientBase>
  underWay: number
}

/**
 * Which transactions a statement saw: the same text means that nobody has committed anything
 * in between, in whatever process.
 */
const SNAPSHOT_SQL = 'cast(pg_current_snapshot() as text)'
const SNAPSHOT = as(text(), SNAPSHOT_SQL)

const watched = new WeakMap<Select, Select>()

/** The same SELECT, which also says what it saw, behind its own columns. */
function withSnapshot(statement: Select): Select {
  let found = watched.get(statement)
  if (!found) {
    const columns = [...statement.columns, ['snapshot', SNAPSHOT] as const]
    found = { columns, rest: statement.rest }
    watched.set(statement, found)
  }
  return found
}

/** An answer, and what it saw; an empty one that was asked for alone does not say. */
interface Answer {
  rows: Stored[][]
  snapshot: Stored | undefined
}

/**
 * Runs SELECTs outside of transactions.
 *
 * Each gets a connection of the pool to itself while there are lanes to open; beyond that they
 * share one, which answers them in turn. What one asker asks for within one turn of the event
 * loop goes out as one statement.
 *
 * Every answer says which transactions it saw. Until the process turns to anything else, the
 * results kept of the same state are answers too: so a request that is repeated asks the
 * database once.
 */
export class PostgresPoolRunner implements SelectRunner {
  readonly #lanes: Lane[] = []
  readonly #kept = new KeptResults()
  #isPresent = false

  constructor(private readonly database: Database) {}

  async rows<Row>(statement: Select<Row>, bindings: Bindings): Promise<Row[]> {
    const ask = () => this.#ask([{ statement, bindings }])
    return this.#known(statement, bindings, async () => (await ask())[0])
  }

  ofOne(): SelectRunner {
    const together = new AskedTogether<Question>((waiting) => this.#answer(waiting))
    return {
      rows: (statement, bindings) =>
        this.#known(statement, bindings, () => together.ask<Answer>({ statement, bindings })),
      once: (question, make) => this.once(question, make),
    }
  }

  /** Kept where all that was asked for meanwhile was answered of one state. */
  async once<Made>(question: string, make: () => Promise<Sized<Made>>): Promise<Made> {
    const kept = this.#isPresent ? this.#kept.findMade(question) : undefined
    if (kept !== undefined) return kept as Made
    const { state } = this.#kept
    const { made, size } = await make()
    const isOfOne = state !== undefined && this.#kept.state === state
    if (size !== null && isOfOne) this.#kept.keepMade(question, made, size)
    return made
  }

  #answer(waiting: readonly Waiting<Question>[]): void {
    answerAll(waiting, () => this.#ask(waiting.map(({ asked }) => asked)))
  }

  async #known<Row>(
    statement: Select<Row>,
    bindings: Bindings,
    ask: () => Promise<Answer>
  ): Promise<Row[]> {
    const question = `${prepare(statement).name} ${JSON.stringify(bindings)}`
    const kept = this.#isPresent ? this.#kept.find<Row>(question) : undefined
    if (kept) return kept
    const answer = await ask()
    const rows = answer.rows.map((values) => rowOf<Row>(statement.columns, values))
    if (answer.snapshot === undefined) return rows
    this.#kept.at(answer.snapshot)
    this.#stayPresent()
    return this.#kept.keep(question, rows, sizeOf(answer.rows))
  }

  async #ask(questions: readonly Question[]): Promise<Answer[]> {
    const lane = this.#lane()
    lane.underWay += 1
    try {
      const connection = await lane.connection
      const one = questions.length > 1 ? queryTogether(connection, questions, SNAPSHOT_SQL) : null
      if (one) {
        const { answers, more } = await one
        return answers.map((rows) => ({ rows, snapshot: more }))
      }
      const each = questions.map(async ({ statement, bindings }) => {
        const { rows } = await query(connection, withSnapshot(statement), bindings)
        return { rows, snapshot: rows[0]?.at(-1) }
      })
      return await Promise.all(each)
    } catch (error) {
      // After a crash the database may count its transactions from an earlier number on.
      this.#kept.forget()
      throw error
    } finally {
      lane.underWay -= 1
      if (lane.underWay === 0) await this.#close(lane)
    }
  }

  /** What has just been read is present for what follows from it at once. */
  #stayPresent() {
    if (this.#isPresent) return
    this.#isPresent = true
    process.nextTick(() => (this.#isPresent = false))
  }

  /** The lane with the least under way. */
  #lane(): Lane {
    let least: Lane | undefined
    for (const lane of this.#lanes) {
      if (!least || lane.underWay < least.underWay) least = lane
    }
    if (least && this.#lanes.length >= MOST_LANES) return least
    const connection = poolOf<ClientBase>(this.database).acquireConnection()
    const opened = { connection, underWay: 0 }
    this.#lanes.push(opened)
    return opened
  }

  async #close(lane: Lane) {
    this.#lanes.splice(this.#lanes.indexOf(lane), 1)
    await poolOf<ClientBase>(this.database).releaseConnection(await lane.connection)
  }
}

/** Characters of some values, about. */
function sizeOf(rows: readonly Stored[][]): number {
  let size = 0
  for (const row of rows) for (const value of row) size += String(value).length
  return size
}
