import { yieldToOthers } from '../yielding.js'
import { isUnrecorded } from './recording_rules.js'
import type { StatementRunner } from './runner.js'
import { as, change, of, select, type Change } from './statement.js'
import { text } from './table.js'
import { touchedRows } from './tables.js'

/** A row as the database has it, by its columns. */
export type StoredRow = Readonly<Record<string, unknown>>

/** A change of a row; `before` is null for an inserted row, `after` for a deleted one. */
export interface TouchedRow {
  table: string
  before: StoredRow | null
  after: StoredRow | null
}

const ON = change(`select set_config('tarmac.touched', 'on', true)`)
const OFF = change(`select set_config('tarmac.touched', '', true)`)
const FORGET = change('delete from touched_rows')
/** Number of notes read at a time. */
const PAGE = 500
const NOTES = select(
  of(touchedRows, 'n'),
  'from touched_rows n where n.place > :after order by n.place limit :page'
)
/** The columns of each table, as SQLite has them. */
const COLUMNS = select(
  { table: as(text(), 'm.name'), column: as(text(), 'c.name') },
  `from sqlite_master m join pragma_table_info(m.name) c
  where m.type = 'table' and m.name not like 'sqlite_%' order by m.name, c.cid`
)

/**
 * Records which rows a transaction changes, by database triggers, which miss neither changes by a
 * model nor deletions by a cascade.
 */
export class TouchedRows {
  #last = 0

  private constructor(
    private readonly statements: StatementRunner,
    private readonly isShared: boolean
  ) {}

  static async noted(statements: StatementRunner, isShared: boolean): Promise<TouchedRows> {
    if (isShared) await statements.change(ON, {})
    else for (const { make } of await triggersIn(statements)) await statements.change(make, {})
    return new TouchedRows(statements, isShared)
  }

  /** Yields the changes since the last call, in their order. */
  async *changes(): AsyncGenerator<TouchedRow> {
    for (;;) {
      const rows = await this.statements.rows(NOTES, { after: this.#last, page: PAGE })
      for (const { tableName, beforeRow, afterRow } of rows) {
        yield { table: tableName, before: parsed(beforeRow), after: parsed(afterRow) }
      }
      if (rows.length > 0) this.#last = rows.at(-1)!.place
      if (rows.length < PAGE) return
      await yieldToOthers()
    }
  }

  /** Ends the recording, and removes its triggers and rows. */
  async end(): Promise<void> {
    const { statements } = this
    if (this.isShared) await statements.change(OFF, {})
    else for (const { drop } of await triggersIn(statements)) await statements.change(drop, {})
    await statements.change(FORGET, {})
  }
}

const parsed = (row: string | null) => (row === null ? null : (JSON.parse(row) as StoredRow))

interface Trigger {
  make: Change
  drop: Change
}

/** The triggers for SQLite, made once: the schema does not change while the process runs. */
let triggers: Promise<Trigger[]> | undefined

function triggersIn(statements: StatementRunner): Promise<Trigger[]> {
  // A failed read is repeated by the next caller.
  return (triggers ??= readTriggers(statements).catch((error: unknown) => {
    triggers = undefined
    throw error
  }))
}

async function readTriggers(statements: StatementRunner): Promise<Trigger[]> {
  const columns = Map.groupBy(await statements.rows(COLUMNS, {}), ({ table }) => table)
  return [...columns].flatMap(([table, its]) =>
    isUnrecorded(table)
      ? []
      : triggersOf(
          table,
          its.map(({ column }) => column)
        )
  )
}

function triggersOf(table: string, columns: readonly string[]): Trigger[] {
  const row = (name: string) =>
    `json_object(${columns.map((column) => `'${column}', ${name}.${column}`).join(', ')})`
  const noted = { insert: [null, 'new'], update: ['old', 'new'], delete: ['old', null] } as const
  return Object.entries(noted).map(([kind, rows]) => {
    const [before, after] = rows.map((name) => (name === null ? 'null' : row(name)))
    return {
      make: change(`create temp trigger ${table}_touched_by_${kind} after ${kind} on main.${table}
        begin
          insert into touched_rows (table_name, before_row, after_row)
          values ('${table}', ${before}, ${after});
        end`),
      drop: change(`drop trigger temp.${table}_touched_by_${kind}`),
    }
  })
}
