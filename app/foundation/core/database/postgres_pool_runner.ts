import type { Database } from '@adonisjs/lucid/database'
import type { ClientBase } from 'pg'
import { poolOf, type Question } from './connections.js'
import { KeptResults } from './kept_results.js'
import { answerAll, AskedTogether, type Waiting } from './asked_together.js'
import { query, queryTogether, textOfQuestion } from './postgres_statements.js'
import type { SelectRunner, Sized } from './runner.js'
import { as, rowOf, type Bindings, type Select } from './statement.js'
import { text, type Stored } from './table.js'

/** Most connections of the pool that SELECTs outside of transactions use at a time. */
const MOST_LANES = 4
/** More that are opened beside lanes whose SELECT is slow. */
const MOST_BESIDE = 2
/** How long a SELECT is answered within, in milliseconds, unless it is slow. */
const SLOW_MS = 100

/** A connection of the pool while SELECTs are under way on it. */
interface Lane {
  connection: Promise<ClientBase>
  underWay: number
  /** Since when the next answer has been waited for. */
  since: number
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

/** A SELECT, and what tells it from every other. */
interface Asking extends Question {
  name: string
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
 * loop goes out as one statement, and what several ask alike in it is asked once: requests that
 * arrive together have the same key looked up.
 *
 * Every answer says which transactions it saw. Until the process turns to anything else, the
 * results kept of the same state are answers too: so a request that is repeated asks the
 * database once.
 */
export class PostgresPoolRunner implements SelectRunner {
  readonly #lanes: Lane[] = []
  readonly #kept = new KeptResults()
  /** What has been asked for and is not under way yet, so that it answers who asks now as well. */
  readonly #unsent = new Map<string, Promise<unknown[]>>()
  #isPresent = false

  constructor(private readonly database: Database) {}

  rows<Row>(statement: Select<Row>, bindings: Bindings): Promise<Row[]> {
    return this.ofOne().rows(statement, bindings)
  }

  ofOne(): SelectRunner {
    const together = new AskedTogether<Asking>((waiting) => this.#send(waiting), setImmediate)
    return {
      rows: (statement, bindings) => this.#known(statement, bindings, together),
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

  async #known<Row>(
    statement: Select<Row>,
    bindings: Bindings,
    together: AskedTogether<Asking>
  ): Promise<Row[]> {
    const name = textOfQuestion({ statement, bindings })
    const kept = this.#isPresent ? this.#kept.find<Row>(name) : undefined
    if (kept) return kept
    let unsent = this.#unsent.get(name) as Promise<Row[]> | undefined
    if (!unsent) {
      unsent = this.#answered<Row>({ statement, bindings, name }, together)
      this.#unsent.set(name, unsent)
    }
    return [...(await unsent)]
  }

  async #answered<Row>(asking: Asking, together: AskedTogether<Asking>): Promise<Row[]> {
    const answer = await together.ask<Answer>(asking)
    const { columns } = asking.statement
    const rows = answer.rows.map((values) => rowOf<Row>(columns, values))
    if (answer.snapshot === undefined) return rows
    this.#kept.at(answer.snapshot)
    this.#stayPresent()
    return this.#kept.keep(asking.name, rows, sizeOf(answer.rows))
  }

  #send(waiting: readonly Waiting<Asking>[]): void {
    const questions = waiting.map(({ asked }) => asked)
    for (const { name } of questions) this.#unsent.delete(name)
    answerAll(waiting, () => this.#ask(questions))
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
      lane.since = performance.now()
      if (lane.underWay === 0) await this.#close(lane)
    }
  }

  /** What has just been read is present for what follows from it at once. */
  #stayPresent() {
    if (this.#isPresent) return
    this.#isPresent = true
    process.nextTick(() => (this.#isPresent = false))
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

/** Characters of some values, about. */
function sizeOf(rows: readonly Stored[][]): number {
  let size = 0
  for (const row of rows) for (const value of row) size += String(value).length
  return size
}
