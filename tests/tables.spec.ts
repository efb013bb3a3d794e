import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { columnsOf, type Table } from '#foundation/core/database/table'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { makeWorld } from './support/world.js'

/*
 * The code describes tables, and migrations make them: both must agree.
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

  test('are all described', async ({ assert }) => {
    const described = (await describedTables()).map(({ name }): string => name)
    const stored = await db.connection().getAllTables(['public'])
    assert.isAbove(stored.length, 20)
    assert.sameMembers(
      stored.filter((name) => !described.includes(name)),
      MIGRATORS
    )
  })
})

/** Rows of these tables are never removed, so references to them need no index. */
const LASTING = new Set(['organizations', 'users', 'api_keys'])

interface Reference {
  table: string
  columns: readonly string[]
  to: string
}

/**
 * Returns the foreign keys, and for each table the columns with which its indexes begin; a leading
 * `organization_id` is skipped.
 */
async function references(): Promise<{
  foreignKeys: Reference[]
  indexed: Map<string, Set<string>>
}> {
  const { rows } =
    db.connection().dialect.name === 'postgres' ? await ofPostgres() : await ofSqlite()
  const indexed = new Map<string, Set<string>>()
  const foreignKeys: Reference[] = []
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

/** A foreign key with all its columns, or an index with its first two, if it has no condition. */
interface Catalog {
  rows: { table: string; columns: string; to: string | null }[]
}

const ofSqlite = async (): Promise<Catalog> => ({
  rows: await db.rawQuery(`
    select m.name as "table", group_concat(f."from", ' ') as columns, f."table" as "to"
      from sqlite_schema m, pragma_foreign_key_list(m.name) f where m.type = 'table'
      group by m.name, f.id
    union all
    select m.name, (select group_concat(coalesce(i.name, '-'), ' ')
        from pragma_index_info(l.name) i where i.seqno < 2), null
      from sqlite_schema m, pragma_index_list(m.name) l where m.type = 'table' and not l.partial`),
})

const ofPostgres = (): Promise<Catalog> =>
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
 * References that become null when their row is removed. They lack the organization, which both
 * databases would set to null, too.
 */
const TO_NULL = [
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
  test('are to rows of the same organization', async ({ assert }) => {
    const { foreignKeys } = await references()
    const others = foreignKeys.filter(({ columns }) => !columns.includes('organization_id'))
    assert.sameMembers(
      others.map(({ table, columns }) => `${table}.${columns.join()}`),
      TO_NULL
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
    const { foreignKeys, indexed } = await references()
    assert.isAbove(foreignKeys.length, 50)
    const missing = foreignKeys.flatMap(({ table, columns, to }) => {
      const own =
        columns.length > 1 ? columns.filter((each) => each !== 'organization_id') : columns
      const isIndexed = own.some((column) => indexed.get(table)?.has(column))
      return isIndexed || LASTING.has(to) ? [] : [`${table} (${columns.join(', ')}) to ${to}`]
    })
    assert.deepEqual(missing, [])
  })
})
