import type { Writable } from 'node:stream'
import type { ClientBase } from 'pg'
import { AskedTogether, asOne, nameOf, type Prepared, type Waiting } from './asked_together.js'
import { forPostgres, inOrder } from './dialects.js'
import { demandOpen } from './lend_client.js'
import type { StatementRunner } from './runner.js'
import { othersHadIt } from '../turns.js'
import { rowOf, type Bindings, type Change, type Select } from './statement.js'
import type { Stored } from './table.js'

const prepared = new WeakMap<Select | Change, Prepared>()

export function prepare(statement: Select | Change): Prepared {
  let found = prepared.get(statement)
  if (!found) {
    const numbered = forPostgres(textOf(statement))
    found = { ...numbered, name: nameOf(numbered.text) }
    prepared.set(statement, found)
  }
  return found
}

function textOf(statement: Select | Change): string {
  const list = (columns: Select['columns']) =>
    columns.map(([name, { sql }]) => `${sql} as "${name}"`).join(', ')
  if ('rest' in statement) return `select ${list(statement.columns)} ${statement.rest}`
  if (statement.returning.length === 0) return statement.sql
  return `${statement.sql} returning ${list(statement.returning)}`
}

const held = new WeakSet<Writable>()

/**
 * Lets what is asked for within one turn of the event loop go out together: to hand it to the
 * system costs about as much as a small statement.
 */
export function sendTogether(connection: ClientBase): void {
  const { stream } = (connection as unknown as { connection: { stream: Writable } }).connection
  if (held.has(stream)) return
  held.add(stream)
  stream.cork()
  // Two ticks: what is asked for meanwhile goes out at the end of the first (`AskedTogether`).
  process.nextTick(() =>
    process.nextTick(() => {
      held.delete(stream)
      stream.uncork()
    })
  )
}

/** Runs a statement on a connection; its rows come as lists of values. */
export function query(connection: ClientBase, statement: Select | Change, bindings: Bindings) {
  const ready = prepare(statement)
  return run(connection, ready, inOrder(ready, bindings))
}

async function run(connection: ClientBase, { name, text }: Prepared, values: Stored[]) {
  sendTogether(connection)
  const answer = await connection.query<Stored[]>({ name, text, values, rowMode: 'array' })
  othersHadIt()
  return answer
}

/** A SELECT and what it is bound to. */
export interface Question {
  statement: Select
  bindings: Bindings
}

/** Arguments that a function of PostgreSQL takes at most. */
const MOST_COLUMNS = 100

/**
 * Answers several SELECTs by one statement.
 * @param more an expression that is answered too, last
 * @returns the values of the rows of each; null where they cannot be asked as one
 */
export function queryTogether(
  connection: ClientBase,
  questions: readonly Question[],
  more?: string
): Promise<{ answers: Stored[][][]; more: Stored }> | null {
  if (questions.some(({ statement }) => statement.columns.length > MOST_COLUMNS)) return null
  const all = questions.map(({ statement }) => prepare(statement))
  const ready = asOne(
    questions.map(({ statement: { columns } }, index) => ({
      columns: columns.map(([name]) => name),
      prepared: all[index],
    })),
    more
  )
  if (!ready) return null
  const values = questions.flatMap(({ bindings }, index) => inOrder(all[index], bindings))
  return run(connection, ready, values).then(({ rows: [row] }) => ({
    answers: row.slice(0, questions.length) as unknown as Stored[][][],
    more: row.at(-1)!,
  }))
}

/** Whether a SELECT locks what it reads, which has its place among the changes. */
const locks = ({ rest }: Select) => /\bfor (update|share)\b/.test(rest)

/**
 * Runs statements on the connection of a transaction. They are sent without waiting for those
 * before them to be answered, and answered in the order they were sent. SELECTs of one turn of
 * the event loop go out as one, in front of the next change.
 */
export class PostgresRunner implements StatementRunner {
  readonly #sent: Promise<unknown>[] = []
  readonly #asked = new AskedTogether<Question>((waiting) => this.#ask(waiting))

  /** @param begun the answer to the BEGIN; it may be under way while the first rows are asked for */
  constructor(
    private readonly connection: ClientBase,
    private readonly begun: Promise<unknown>,
    private readonly isOver: () => boolean
  ) {}

  async rows<Row>(statement: Select<Row>, bindings: Bindings): Promise<Row[]> {
    demandOpen(!this.isOver())
    let found: Stored[][]
    if (locks(statement)) {
      this.#asked.send()
      found = (await query(this.connection, statement, bindings)).rows
    } else {
      found = await this.#asked.ask<Stored[][]>({ statement, bindings })
    }
    return found.map((values) => rowOf<Row>(statement.columns, values))
  }

  async change<Row>(statement: Change<Row>, bindings: Bindings) {
    await this.begun
    this.#demandTurn()
    const { rows, rowCount } = await query(this.connection, statement, bindings)
    return {
      rows: rows.map((values) => rowOf<Row>(statement.returning, values)),
      count: rowCount ?? 0,
    }
  }

  async send(statement: Change, bindings: Bindings): Promise<void> {
    await this.begun
    this.#demandTurn()
    const sent = query(this.connection, statement, bindings)
    sent.catch(() => {})
    this.#sent.push(sent)
  }

  /** Waits for what was sent. @throws the first failure: those after it are its consequence */
  async arrived(): Promise<void> {
    await Promise.all(this.#sent)
  }

  /** Sends what was asked for and waits for the end of this turn. */
  sendAsked(): void {
    this.#asked.send()
  }

  /** What comes next goes out in this very turn, or the transaction may have ended before it. */
  #demandTurn(): void {
    demandOpen(!this.isOver())
    this.#asked.send()
  }

  #ask(waiting: readonly Waiting<Question>[]): void {
    answerAll(waiting, async () => {
      demandOpen(!this.isOver())
      const questions = waiting.map(({ asked }) => asked)
      const one = questions.length > 1 ? queryTogether(this.connection, questions) : null
      if (one) return (await one).answers
      const each = questions.map(({ statement, bindings }) =>
        query(this.connection, statement, bindings)
      )
      return (await Promise.all(each)).map(({ rows }) => rows)
    })
  }
}

/** Gives all who wait their answer, or all the same error. */
export function answerAll<Asked>(
  waiting: readonly Waiting<Asked>[],
  ask: () => Promise<readonly unknown[]>
): void {
  ask().then(
    (answers) => waiting.forEach(({ resolve }, index) => resolve(answers[index] as never)),
    (error: unknown) => waiting.forEach(({ reject }) => reject(error))
  )
}
