import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { UNWATCHED, WATCHED, watchedColumns } from '#database/watched_tables'
import { readClient } from '#foundation/core/database/connections'
import type { SelectRunner } from '#foundation/core/database/runner'
import { selects } from '#foundation/core/services'
import { readWhatIsKept } from './support/kept_reads.js'
import { makePaths } from './support/something_of_everything.js'
import { makeWorld } from './support/world.js'

const isPostgres = () => db.connection().dialect.name === 'postgres'

/** Returns the statements that make the triggers of a table, in one text. */
async function triggersOf(table: string): Promise<string> {
  const found = isPostgres()
    ? (
        await db.rawQuery(
          `select pg_get_triggerdef(oid) as sql from pg_trigger
            where tgrelid = ?::regclass and not tgisinternal and tgname <> ?`,
          [table, `${table}_touched`]
        )
      ).rows
    : await db.rawQuery(`select sql from sqlite_schema where type = 'trigger' and tbl_name = ?`, [
        table,
      ])
  return found.map(({ sql }: { sql: string }) => sql.toLowerCase()).join('\n')
}

/** Reports every statement outside of transactions. Returns a function that ends the reports. */
function reportStatements(reported: (sql: string) => void): () => void {
  const reporting = (runner: SelectRunner): SelectRunner['rows'] => {
    const rows = runner.rows.bind(runner)
    return (statement, bindings) => {
      reported(statement.rest)
      return rows(statement, bindings)
    }
  }
  const { forRequester } = selects
  const knex = readClient(db as never).getReadClient()
  const query = ({ sql }: { sql: string }) => reported(sql)
  selects.rows = reporting(selects)
  if (forRequester) {
    selects.forRequester = () => {
      const one = forRequester.call(selects)
      return { rows: reporting(one) }
    }
  }
  knex.on('query', query)
  return () => {
    delete (selects as Partial<SelectRunner>).rows
    if (forRequester) delete (selects as Partial<SelectRunner>).forRequester
    knex.off('query', query)
  }
}

test.group('Tables of organizations', () => {
  test('are watched for cached responses, or say why not', async ({ assert }) => {
    const client = db.connection()
    const owned: string[] = []
    for (const name of await client.getAllTables(['public'])) {
      if ('organization_id' in (await client.columnsInfo(name))) owned.push(name)
    }
    assert.sameMembers([...WATCHED, ...Object.keys(UNWATCHED)], [...owned, 'organizations'])
  })

  test('have their triggers, where they are watched', async ({ assert }) => {
    for (const table of WATCHED) {
      const triggers = await triggersOf(table)
      const writes =
        table === 'organizations' ? ['insert', 'update'] : ['insert', 'update', 'delete']
      for (const write of writes) assert.include(triggers, write, table)
      for (const column of watchedColumns(table) ?? []) assert.include(triggers, column, table)
    }
    for (const table of Object.keys(UNWATCHED)) assert.equal(await triggersOf(table), '', table)
  })

  test('are watched except for columns that no answer shows', async ({ assert }) => {
    const unshown = { api_keys: ['last_used_at'], integrations: ['last_synced_at'] }
    for (const table of WATCHED) {
      const columns = watchedColumns(table)
      assert.equal(columns !== null, table in unshown, table)
      if (!columns) continue
      const never = ['id', 'organization_id', 'created_at']
      const others = unshown[table as keyof typeof unshown]
      const stored = Object.keys(await db.connection().columnsInfo(table))
      assert.sameMembers([...columns, ...never, ...others], stored, table)
    }
  })

  test('are watched if cached responses read them', async ({ assert, cleanup }) => {
    const world = await makeWorld()
    const paths = await makePaths(world)
    const read = new Set<string>()
    const stopReports = reportStatements((sql) => {
      for (const [, name] of sql.matchAll(/\b(?:from|join)\s+[`"]?(\w+)/g)) read.add(name)
    })
    cleanup(stopReports)
    await readWhatIsKept(world, paths)
    stopReports()
    assert.includeMembers([...read], ['releases', 'release_steps', 'release_items', 'integrations'])
    const unwatched = [...read].filter((name) => name in UNWATCHED && name !== 'event_counters')
    assert.deepEqual(unwatched, [])
    // Cached responses show no unwatched columns: `readWhatIsKept` compares them with fresh answers.
    const at = '2026-01-01T00:00:00.000Z'
    await world.write((scope) => scope.table('integrations').update({ last_synced_at: at }))
    await readWhatIsKept(world, paths)
  })
})
