import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { SERVICE_COLUMNS_OF, REPORTED_ALONE, UNRECORDED } from '#agents/recording_rules'
import { ChangedRows } from '#foundation/core/database/changed_rows'
import { countsAfter, countsBefore } from '#foundation/core/database/recording_rules'
import { newId, notingDrawn } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { makeWorld, type World } from './support/world.js'

const isPostgres = () => db.connection().dialect.name === 'postgres'
const tables = () => db.connection().getAllTables(['public'])

/** Runs work in a transaction, and returns the rows that it changes. */
const changesIn = (scope: Scope, work: (scope: Scope) => Promise<unknown>) =>
  notingDrawn(async (drawn) => {
    const noted = await scope.noteRows()
    await work(scope)
    const rows = await ChangedRows.of(noted.changes(), drawn)
    await noted.end()
    return rows
  })

const changesOf = ({ write }: Pick<World, 'write'>, work: (scope: Scope) => Promise<unknown>) =>
  write((scope) => changesIn(scope, work))

/** Runs work, rolls it back, and returns the print (a fingerprint) of its changes. */
async function printOf(
  { write }: Pick<World, 'write'>,
  work: (scope: Scope) => Promise<unknown>
): Promise<string[]> {
  let print: string[] = []
  const tried = write(async (scope) => {
    print = (await changesIn(scope, work)).print()
    throw new Error('rolled back')
  })
  await tried.catch(() => {})
  return print
}

/** Adds a group to an organization. */
async function addGroup(scope: Scope, name: string) {
  const row = { name, name_key: name, is_default: false, user_actions: '[]' }
  const at = { created_at: scope.now, updated_at: scope.now }
  await scope.insertStored('groups', [{ id: newId('grp'), ...row, ...at }])
}

const setActions = (scope: Scope, name: string, ...actions: string[]) =>
  scope
    .table('groups')
    .where('name', name)
    .update({ user_actions: JSON.stringify(actions) })

test.group('The rows that a transaction changes', () => {
  test('are noted in every table, except those that say why not', async ({ assert }) => {
    const stored = await tables()
    assert.includeMembers(stored, [...Object.keys(UNRECORDED), ...REPORTED_ALONE])
    for (const [table, columns] of Object.entries(SERVICE_COLUMNS_OF)) {
      const known = Object.keys(await db.connection().columnsInfo(table))
      assert.includeMembers(known, [...columns], table)
    }
    if (!isPostgres()) return
    // The numbers grow for as long as the database lives.
    assert.equal((await db.connection().columnsInfo('touched_rows')).place.type, 'bigint')
    const { rows } = await db.rawQuery(
      `select tgrelid::regclass::text as name from pg_trigger
        where not tgisinternal and tgname like '%\\_touched'`
    )
    assert.sameMembers(
      rows.map(({ name }: { name: string }) => name),
      stored.filter((name) => !(name in UNRECORDED))
    )
  })

  test('include rows that a cascade removes, and the notes are deleted', async ({ assert }) => {
    const { world, app } = await makeTrain(['1.0.0', '1.1.0'])
    const rows = await changesOf(world, (scope) =>
      scope.table('releases').where('app_id', app).delete()
    )
    const named = ['1.0.0', '1.1.0'].map((name) => ({ name, appId: app }))
    assert.deepEqual(rows.destroyed.get('releases'), { count: 2, first: named })
    assert.equal(rows.destroyed.get('release_steps')!.count, 10)
    assert.equal(rows.destroyed.get('step_runs')!.count, 10)
    assert.isEmpty(await db.from('touched_rows'))
    // The next transaction is not noted.
    await world.write((scope) => scope.table('apps').where('id', app).update({ name: 'Other' }))
    assert.isEmpty(await db.from('touched_rows'))
  })

  test('count in their final state, whatever they were in between', async ({ assert }) => {
    const { world, app } = await makeTrain()
    const appRow = (scope: Scope) => scope.table('apps').where('id', app)
    const rows = await changesOf(world, async (scope) => {
      await appRow(scope).update({ name: 'A' })
      await appRow(scope).update({ name: 'B' })
      await addGroup(scope, 'G')
      await scope.table('groups').where('name', 'G').delete()
    })
    assert.lengthOf(rows.changes(), 1)
    assert.containsSubset(rows.changes(), [{ table: 'apps', to: { name: 'B' } }])
    assert.equal(rows.destroyed.size, 0)
    const back = await changesOf(world, async (scope) => {
      await appRow(scope).update({ name: 'C' })
      await appRow(scope).update({ name: 'B' })
      await appRow(scope).update({ updated_at: scope.now })
    })
    assert.isEmpty(back.changes())
    assert.isEmpty(back.print())
  })

  test('have the same print for the same changes, whatever ids and times are drawn', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const work = (name: string) => async (scope: Scope) => {
      await addGroup(scope, name)
      await setActions(scope, 'QA', 'EditRelease')
    }
    const print = await printOf(world, work('new'))
    assert.lengthOf(print, 3)
    assert.deepEqual(await printOf(world, work('new')), print)
    assert.notDeepEqual(await printOf(world, work('other')), print)
    await world.write((scope) => setActions(scope, 'Engineers', 'SelectBuild'))
    assert.deepEqual(await printOf(world, work('new')), print)
    await world.write((scope) => setActions(scope, 'QA', 'SelectBuild'))
    assert.notDeepEqual(await printOf(world, work('new')), print)
  })

  test('count, except for transient and generated columns', ({ assert }) => {
    assert.isTrue(countsBefore('releases', 'release_name'))
    assert.isFalse(countsBefore('releases', 'updated_at'))
    assert.isFalse(countsBefore('buckets', 'build_count'))
    assert.isTrue(countsBefore('webhook_endpoints', 'sealed_keys'))
    assert.isFalse(countsAfter('webhook_endpoints', 'sealed_keys'))
  })
})
