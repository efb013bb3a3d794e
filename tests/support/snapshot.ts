import db from '@adonisjs/lucid/services/db'

/** Tables that a refused request may change: counters, and when a key was last used. */
const UNSTABLE_TABLES = /^(rate_limits|request_counts|adonis_schema.*|sqlite_.*|knex_.*)$/
const UNSTABLE_COLUMNS = ['last_used_at']

/** Returns the tables, each with the column of its organization; null for tables without one. */
export const ownedTables = () => (tables ??= readTables())

async function readTables(): Promise<[table: string, owner: string | null][]> {
  const client = db.connection()
  const names = (await client.getAllTables(['public'])).filter(
    (name) => !UNSTABLE_TABLES.test(name)
  )
  const tables: [string, string | null][] = []
  for (const name of names.sort()) {
    const columns = await client.columnsInfo(name)
    const owner = 'organization_id' in columns ? 'organization_id' : null
    tables.push([name, name === 'organizations' ? 'id' : owner])
  }
  return tables
}

let tables: ReturnType<typeof readTables> | undefined

/**
 * Returns all rows of the organizations as text by table. Equal snapshots show that nothing was
 * written, and that no event was sent, as events are stored before they are sent.
 */
export async function snapshot(
  organizationIds: readonly string[]
): Promise<Record<string, string>> {
  const contents: Record<string, string> = {}
  for (const [table, owner] of await ownedTables()) {
    const query = db.from(table).select('*')
    if (owner) query.whereIn(owner, [...organizationIds])
    const rows: Record<string, unknown>[] = await query
    for (const row of rows) for (const column of UNSTABLE_COLUMNS) delete row[column]
    contents[table] = rows
      .map((row) => JSON.stringify(row))
      .sort()
      .join('\n')
  }
  return contents
}
