import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import pg from 'pg'
import type { Database } from '@adonisjs/lucid/database'
import { isPostgres } from '../core/database/connections.js'
import { transact } from '../core/database/transact.js'
import { Problem } from '../core/problems/problem.js'
import type { Scope } from '../core/scope.js'
import { Api } from '#tests/support/api'
import { LONG } from '#tests/support/effort'
import { runAceWith, startService } from '#tests/support/processes'
import { insertOrphanMember } from '#tests/support/orphan_member'
import { makeWorld, type World } from '#tests/support/world'

/*
 * A failed COMMIT is never answered as done, and what was answered as done is stored.
 */

const database = db as unknown as Database
const postgres = isPostgres(database)

/** Reads the ids of an organization's groups. */
async function groupsOf(api: Api, organizationId: string): Promise<Set<string>> {
  const { body } = await api.get(`/org/${organizationId}/group`)
  return new Set(body.map((group: { id: string }) => group.id))
}

let crews = 0

/** Creates groups until asked to end; returns the ids of those answered 201, and other statuses. */
async function makeGroups(api: Api, organizationId: string, times: number, goOn = () => true) {
  const made: string[] = []
  const refused: number[] = []
  for (let count = 0; count < times && goOn(); count++) {
    crews += 1
    const name = `Crew ${crews} ${'x'.repeat(80)}`
    const { status, body } = await api.post(
      `/org/${organizationId}/group`,
      { name, userActions: [] },
      { unchecked: true }
    )
    if (status === 201) made.push(body.id)
    else refused.push(status)
  }
  return { made, refused }
}

/** Makes every COMMIT of a transaction that created a group of this name fail. */
async function refuseCommits(name: string): Promise<() => Promise<void>> {
  await db.rawQuery(`create or replace function refuse_commit() returns trigger as $$
    begin raise exception 'refused at the end' using errcode = '23514'; end $$ language plpgsql`)
  await db.rawQuery(
    `create constraint trigger refuse_commit after insert on groups deferrable initially deferred
     for each row when (new.name = '${name}') execute function refuse_commit()`
  )
  return async () => {
    await db.rawQuery('drop trigger refuse_commit on groups')
  }
}

const inGroup = (world: World, name: string) =>
  db.from('groups').where('organization_id', world.organizationId).where('name', name)

test.group('A COMMIT that fails', () => {
  test('rejects, and nothing is stored', async ({ assert, cleanup }) => {
    const world = await makeWorld()
    const insert = (id: string) => ({
      id,
      organization_id: world.organizationId,
      name: 'Doomed',
      name_key: 'doomed',
      is_default: false,
      user_actions: '[]',
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    })
    if (postgres) cleanup(await refuseCommits('Doomed'))
    const hooks: string[] = []
    const attempt = transact(database, async (client) => {
      client.after('commit', () => void hooks.push('commit'))
      client.after('rollback', () => void hooks.push('rollback'))
      await client.table('groups').insert(insert('grp_doomed'))
      if (!postgres) await insertOrphanMember(client, world.organizationId)
      return 'done'
    })
    await assert.rejects(() => attempt)
    assert.isNull(await inGroup(world, 'Doomed').first())
    assert.deepEqual(hooks, ['rollback'])
    assert.equal(await transact(database, async () => 'the next works'), 'the next works')
  })

  test('rolls back all writes that share it', async ({ assert }) => {
    if (postgres) return assert.isTrue(postgres, 'each has a transaction of its own')
    const world = await makeWorld()
    const outcomes = await Promise.allSettled([
      world.write((scope) => insertOrphanMember(scope.client, world.organizationId)),
      world.write(async (scope) => {
        await scope.table('groups').where('name', 'QA').update({ name: 'Changed' })
      }),
    ])
    const after = await inGroup(world, 'Changed').first()
    // The grouping of writes in transactions depends on timing; answered writes are stored in any
    // case.
    assert.equal(outcomes[1].status === 'fulfilled', after !== null)
    assert.isTrue(outcomes.some(({ status }) => status === 'rejected'))
  })

  test('does not happen to writes that share a transaction with a failing one', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const rename = (from: string, to: string) => (scope: Scope) =>
      scope.table('groups').where('name', from).update({ name: to })
    const outcomes = await Promise.allSettled([
      world.write(rename('QA', 'First')),
      world.write(async (scope) => {
        await rename('CX', 'Second')(scope)
        throw new Error('on second thoughts')
      }),
      world.write(rename('Ops', 'Third')),
    ])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled']
    )
    const names = await db
      .from('groups')
      .where('organization_id', world.organizationId)
      .whereIn('name', ['First', 'Second', 'Third', 'CX'])
      .orderBy('name')
      .select('name')
    assert.deepEqual(
      names.map(({ name }) => name),
      ['CX', 'First', 'Third']
    )
  })
})

if (postgres) {
  test.group('A PostgreSQL that fails at the end', () => {
    test('answers an error and stores nothing if it refuses the COMMIT', async ({
      assert,
      cleanup,
    }) => {
      const world = await makeWorld()
      cleanup(await refuseCommits('Refused'))
      for (let count = 0; count < 5; count++) {
        const { status } = await world.admin.post(`/org/${world.organizationId}/group`, {
          name: 'Refused',
          userActions: [],
        })
        assert.equal(status, 500)
      }
      assert.isNull(await inGroup(world, 'Refused').first())
    })

    test('answers outcome_unknown if the connection is cut before the COMMIT', async ({
      assert,
    }) => {
      const world = await makeWorld()
      const outside = new pg.Client({ connectionString: process.env.DATABASE_URL })
      await outside.connect()
      let problem: unknown
      try {
        await world.write(async (scope) => {
          await scope.table('groups').where('name', 'QA').update({ name: 'Cut' })
          const { rows } = await scope.client.rawQuery('select pg_backend_pid() as pid')
          await outside.query('select pg_terminate_backend($1, 5000)', [rows[0].pid])
        })
      } catch (error) {
        problem = error
      }
      await outside.end()
      assert.instanceOf(problem, Problem)
      assert.deepInclude(problem, { code: 'outcome_unknown', status: 503 })
      assert.isNull(await inGroup(world, 'Cut').first())
    })

    test('has stored whatever was answered 201, even if its backends are terminated all the time', async ({
      assert,
    }) => {
      const world = await makeWorld()
      // Only connections of the service are cut, by their application name.
      const url = new URL(process.env.DATABASE_URL!)
      url.searchParams.set('application_name', 'tarmac_cut')
      const service = await startService({ DATABASE_URL: url.href })
      const api = new Api(world.adminKey, service.base)
      const outside = new pg.Client({ connectionString: process.env.DATABASE_URL })
      await outside.connect()
      let isOver = false
      const killing = (async () => {
        while (!isOver) {
          await outside.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where application_name = 'tarmac_cut' and state <> 'idle'`
          )
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
      })()
      const began = performance.now()
      const goOn = () => performance.now() - began < 4000
      const results = await Promise.all(
        [0, 1, 2, 3].map(() => makeGroups(api, world.organizationId, 2000, goOn))
      ).finally(async () => {
        // Ends the killing even after a failure, so that later tests keep their connections.
        isOver = true
        await killing
        await outside.end()
      })
      await service.stop()
      const made = results.flatMap((result) => result.made)
      const refused = results.flatMap((result) => result.refused)
      const present = await groupsOf(world.admin, world.organizationId)
      assert.deepEqual(
        made.filter((id) => !present.has(id)),
        []
      )
      assert.isAbove(refused.length, 0, 'no fault was injected')
    }).timeout(60_000)
  })
} else {
  test.group('A full disk', () => {
    test('answered writes are stored, reads go on, commands report', async ({ assert }) => {
      const home = mkdtempSync(join(tmpdir(), 'tarmac-full-'))
      const settings = { TARMAC_HOME: home, DATABASE_URL: undefined, APP_KEY: undefined }
      try {
        const first = await startService(settings)
        await first.stop()
        const output = first.output()
        const key = /API key\s+(\S+)/.exec(output)![1]
        const organizationId = /organization\s+(org_\S+)/.exec(output)![1]

        const full = await startService(settings, 1200)
        const api = new Api(key, full.base)
        const { made, refused } = await makeGroups(api, organizationId, 400)
        const { status } = await api.get(`/org/${organizationId}/group`)
        assert.equal(status, 200)
        await full.stop()
        assert.isAbove(made.length, 0)
        assert.isAbove(refused.length, 0, 'the disk did not get full')
        assert.deepEqual([...new Set(refused)], [503])

        const revocable = await runAceWith(settings, [
          'key:create',
          '--org',
          organizationId,
          '--name',
          'spare',
          '--json',
        ])
        const spare = JSON.parse(revocable.stdout) as { id: string; key: string }
        // A running service keeps SQLite's log larger than the commands are allowed to write.
        const beside = await startService(settings)
        made.push(...(await makeGroups(new Api(key, beside.base), organizationId, 40)).made)
        for (const args of [
          ['key:create', '--org', organizationId, '--name', 'doomed', '--json'],
          ['key:revoke', spare.id, '--json'],
        ]) {
          const { code, stdout, stderr } = await runAceWith(settings, args, 64)
          assert.notEqual(code, 0, args[0])
          assert.equal(stdout, '', args[0])
          assert.match(stderr, /did not store|disk/, args[0])
        }

        const present = await groupsOf(new Api(key, beside.base), organizationId)
        const works = await new Api(spare.key, beside.base).get(`/org/${organizationId}`)
        await beside.stop()
        assert.deepEqual(
          made.filter((id) => !present.has(id)),
          []
        )
        // The default groups, and nothing that was refused.
        assert.equal(present.size, made.length + 10)
        assert.equal(works.status, 200)
      } finally {
        rmSync(home, { recursive: true, force: true })
      }
    })
      .tags([LONG])
      .timeout(120_000)
  })
}
