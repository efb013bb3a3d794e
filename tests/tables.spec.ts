import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { columnsOf, type Table } from '#foundation/core/database/table'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { makeWorld } from './support/world.js'

/*
 * The code describes the tables that migrations create. These tests check that both agree.
 */

/** Tables of the migrator. */
const MIGRATORS = ['adonis_schema', 'adonis_schema_versions']

const ROOT = fileURLToPath(new URL('../', import.meta.url))

async function describedTables(): Promise<Table[]> {
  const files = globSync('app/**/tables.ts', { cwd: ROOT })
  const modules: object[] = await Promise.all(
    files.map((path) => import(pathToFileURL(join(ROOT, path)).href))
  )
  return modules
    .flatMap((module): unknown[] => Object.values(module))
    .filter((value): value is Table => isTable(value))
}

function isTable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'name' in value && 'columns' in value
}

test.group('tables', () => {
  test('have the columns in the database that the code describes, and no others', async ({
    assert,
  }) => {
    const tables = await describedTables()
    assert.isAbove(tables.length, 20)
    const differing: string[] = []
    for (const table of tables) {
      const { name } = table
      const stored = Object.keys(await db.connection().columnsInfo(name))
      const described = columnsOf(table)
      for (const column of described) {
        if (!stored.includes(column)) differing.push(`${name}.${column} needs a migration`)
      }
      for (const column of stored) {
        if (!described.includes(column)) differing.push(`${name}.${column} is not described`)
      }
    }
    assert.deepEqual(differing, [])
  })

  test('are all described in the code', async ({ assert }) => {
    const described = (await describedTables()).map(({ name }): string => name)
    const stored = await db.connection().getAllTables(['public'])
    assert.isAbove(stored.length, 20)
    assert.sameMembers(
      stored.filter((name) => !described.includes(name)),
      MIGRATORS
    )
  })
})

/** Tables whose rows are never removed, so that references to them need no index. */
const PERMANENT = new Set(['organizations', 'users', 'api_keys'])

interface ForeignKey {
  table: string
  columns: readonly string[]
  to: string
}

/**
 * Returns the foreign keys, and for each table the first columns of its indexes, where a leading
 * `organization_id` does not count.
 */
async function readConstraints(): Promise<{
  foreignKeys: ForeignKey[]
  indexed: Map<string, Set<string>>
}> {
  const { rows } =
    db.connection().dialect.name === 'postgres' ? await readPostgres() : await readSqlite()
  const indexed = new Map<string, Set<string>>()
  const foreignKeys: ForeignKey[] = []
  for (const { table, columns, to } of rows) {
    if (to) foreignKeys.push({ table, columns: columns.split(' '), to })
    else {
      const [first, second] = columns.split(' ')
      const leading = first === 'organization_id' ? second : first
      if (leading) indexed.set(table, (indexed.get(table) ?? new Set()).add(leading))
    }
  }
  return { foreignKeys, indexed }
}

interface Catalog {
  /**
   * Foreign keys with all their columns, and the first two columns of each index without a
   * condition, for which `to` is null. Columns are separated by spaces.
   */
  rows: { table: string; columns: string; to: string | null }[]
}

const readSqlite = async (): Promise<Catalog> => ({
  rows: await db.rawQuery(`
    select m.name as "table", group_concat(f."from", ' ') as columns, f."table" as "to"
      from sqlite_schema m, pragma_foreign_key_list(m.name) f where m.type = 'table'
      group by m.name, f.id
    union all
    select m.name, (select group_concat(coalesce(i.name, '-'), ' ')
        from pragma_index_info(l.name) i where i.seqno < 2), null
      from sqlite_schema m, pragma_index_list(m.name) l where m.type = 'table' and not l.partial`),
})

const readPostgres = (): Promise<Catalog> =>
  db.rawQuery(`
    select c.conrelid::regclass::text as "table", c.confrelid::regclass::text as "to",
      (select string_agg(a.attname, ' ') from pg_attribute a
        where a.attrelid = c.conrelid and a.attnum = any(c.conkey)) as columns
      from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace
    union all
    select i.indrelid::regclass::text, null,
      (select string_agg(a.attname, ' ' order by k.place)
        from unnest(i.indkey[0:1]) with ordinality k(number, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number)
      from pg_index i join pg_class t on t.oid = i.indrelid
      where t.relnamespace = 'public'::regnamespace and i.indpred is null and i.indkey[0] > 0`)

/**
 * Foreign keys that become null when the row they refer to is removed. They leave out
 * `organization_id`, because both databases would set it to null, too.
 */
const SET_NULL = [
  'app_store_builds.ci_build_id',
  'app_store_builds.release_id',
  'app_store_review_attachments.release_id',
  'ci_builds.installation_id',
  'ci_builds.release_id',
  'distribution_builds.ci_build_id',
  'integrations.destination_id',
  'release_candidates.succeeded_build_id',
  'store_plans.build_id',
  'triage_issues.release_id',
]

test.group('References', () => {
  test('include the organization, except those that become null', async ({ assert }) => {
    const { foreignKeys } = await readConstraints()
    const withoutOrganization = foreignKeys.filter(
      ({ columns }) => !columns.includes('organization_id')
    )
    assert.sameMembers(
      withoutOrganization.map(({ table, columns }) => `${table}.${columns.join()}`),
      SET_NULL
    )
  })

  test('to rows of another organization are refused by the database', async ({ assert }) => {
    const { app, admin, world } = await makeTrain([])
    const other = await makeWorld()
    await admin.post(`/app/${app}/release`, { version: '1.0.0' })
    const { id } = await db.from('releases').where('app_id', app).firstOrFail()
    const rowOf = ({ organizationId }: { organizationId: string }) => ({
      ...{ organization_id: organizationId, release_id: id, app_id: app },
      ...{ what: 'planted', is_watched: false },
    })
    const insert = (row: object) => db.table('release_progress').insert(row)
    await assert.rejects(() => insert(rowOf(other)), /foreign key/i)
    await insert(rowOf(world))
    await db.from('release_progress').where('release_id', id).delete()
  })

  test('to rows that may be removed have an index', async ({ assert }) => {
    const { foreignKeys, indexed } = await readConstraints()
    assert.isAbove(foreignKeys.length, 50)
    const missing = foreignKeys.flatMap(({ table, columns, to }) => {
      const own =
        columns.length > 1 ? columns.filter((each) => each !== 'organization_id') : columns
      const isIndexed = own.some((column) => indexed.get(table)?.has(column))
      return isIndexed || PERMANENT.has(to) ? [] : [`${table} (${columns.join(', ')}) to ${to}`]
    })
    assert.deepEqual(missing, [])
  })
})
