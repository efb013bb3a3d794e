import { setImmediate as turn } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { ownedTables } from './snapshot.js'

type Row = Record<string, unknown>

/** A table with its owner column and its primary key. */
interface Table {
  name: string
  owner: string
  key: string[]
}

/**
 * Tables that any request may change, for example when a key was last used. Changed rows of these
 * stay as they are; only missing ones are restored.
 */
const TOUCHED = ['audit_entries', 'api_keys', 'integrations']
/** Tables whose added rows stay. */
const KEEP_ADDED = new Set(['audit_entries', 'api_keys'])

const isPostgres = () => db.connection().dialect.name === 'postgres'

/** Queries of tables and their key columns. No table refers to a later one in this order. */
const KEYS = {
  sqlite: `select m.name as name, i.name as column from sqlite_master m, pragma_table_info(m.name) i
    where m.type = 'table' and i.pk > 0 order by m.rowid`,
  postgres: `select c.relname as name, a.attname as column from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
    where i.indisprimary order by c.oid`,
}

async function readKeys(): Promise<Table[]> {
  const owners = new Map(await ownedTables())
  const result = await db.rawQuery(isPostgres() ? KEYS.postgres : KEYS.sqlite)
  const tables = new Map<string, Table>()
  for (const { name, column } of isPostgres() ? result.rows : result) {
    const owner = owners.get(name)
    if (!owner) continue
    const table = tables.get(name) ?? { name, owner, key: [] }
    tables.set(name, { ...table, key: [...table.key, column] })
  }
  return [...tables.values()]
}

let tables: ReturnType<typeof readKeys> | undefined

/**
 * The saved rows of one organization: tests restore them to try several things in the same state.
 */
export class SavedRows {
  readonly #rows = new Map<string, Map<string, Row>>()

  private constructor(private readonly organizationId: string) {}

  static async of(organizationId: string): Promise<SavedRows> {
    const saved = new SavedRows(organizationId)
    for (const [{ name }, rows] of await saved.#readAll()) saved.#rows.set(name, rows)
    return saved
  }

  async #read({ name, owner, key }: Table): Promise<Map<string, Row>> {
    const rows: Row[] = await db.from(name).where(owner, this.organizationId).select('*')
    // The change number, which cached responses depend on, must only grow, even when rows are restored.
    if (name === 'event_counters') for (const row of rows) delete row.changes
    return new Map(rows.map((row) => [JSON.stringify(key.map((each) => row[each])), row]))
  }

  async #readAll() {
    const all = await (tables ??= readKeys())
    return Promise.all(all.map(async (table) => [table, await this.#read(table)] as const))
  }

  /** Returns the differences from the saved rows. */
  async #differences() {
    const all = []
    for (const [table, now] of await this.#readAll()) {
      const before = this.#rows.get(table.name)!
      const isTouched = TOUCHED.includes(table.name)
      const differs = ([id, row]: [string, Row]) =>
        isTouched ? !now.has(id) : JSON.stringify(row) !== JSON.stringify(now.get(id))
      const changed = [...before]
        .filter(differs)
        .map(([id, row]) => ({ row, isGone: !now.has(id) }))
      const added = [...now].flatMap(([id, row]) =>
        before.has(id) || KEEP_ADDED.has(table.name) ? [] : [row]
      )
      if (changed.length + added.length > 0) all.push({ table, changed, added })
    }
    return all
  }

  /** Restores exactly the saved rows. @returns the names of the tables that differed */
  async restore(): Promise<string[]> {
    const differences = await this.#differences()
    if (differences.length === 0) return []
    await db.transaction(async (transaction) => {
      const rowIn = ({ name, key }: Table, row: Row) =>
        transaction.from(name).where(Object.fromEntries(key.map((each) => [each, row[each]])))
      if (!isPostgres()) await transaction.rawQuery('pragma defer_foreign_keys = on')
      for (const { table, added } of differences.toReversed()) {
        for (const row of added) await rowIn(table, row).delete()
      }
      for (const { table, changed } of differences) {
        for (const { row, isGone } of changed) {
          if (isGone) await transaction.table(table.name).insert(row)
          else await rowIn(table, row).update(row)
        }
      }
    })
    // The service sees rows that tests write only from the next turn of the event loop on.
    await turn()
    return differences.map(({ table }) => table.name)
  }
}
