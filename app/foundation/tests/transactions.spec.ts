import { setTimeout as pause } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import type { Database } from '@adonisjs/lucid/database'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { test } from '@japa/runner'
import BetterSqlite3 from 'better-sqlite3'
import { isPostgres } from '../core/database/connections.js'
import { SqliteTransactions } from '../core/database/sqlite_transactions.js'
import { transact } from '../core/database/transact.js'
import { groups } from '#organizations/tables'
import { insertOrphanMember } from '#tests/support/orphan_member'
import { makeWorld, type World } from '#tests/support/world'
import type { Scope } from '../core/scope.js'
import { as, select } from '../core/database/statement.js'
import { text } from '../core/database/table.js'
import pg from 'pg'

const database = db as unknown as Database
const postgres = isPostgres(database)

const rename = (client: TransactionClientContract, world: World, from: string, to: string) =>
  client
    .from('groups')
    .where('organization_id', world.organizationId)
    .where('name', from)
    .update({ name: to })

const ONE = select({ id: as(text(), 'g.id') }, 'from groups g where g.organization_id = :org')

const namesOf = async (world: World) => {
  const rows = await db.from('groups').where('organization_id', world.organizationId).select('name')
  return rows.map(({ name }) => name).sort()
}

/** Returns the outcomes: `done`, or the code or message of the refusal. */
async function answersOf(writes: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(writes)
  return settled.map((each) =>
    each.status === 'fulfilled' ? 'done' : (each.reason.code ?? each.reason.message)
  )
}

test.group('Statements after the end of their transaction', () => {
  test('fail and change nothing', async ({ assert }) => {
    const world = await makeWorld()
    let late: Promise<string[]> | undefined
    const write = world.write((scope) => {
      const afterwards = async (statement: () => Promise<unknown>) => {
        await pause(30)
        await statement()
      }
      late = answersOf([
        afterwards(() => rename(scope.transaction, world, 'QA', 'Late')),
        afterwards(() => scope.table('groups').where('name', 'CX').update({ name: 'Late' })),
      ])
      return Promise.reject(new Error('refused'))
    })
    await assert.rejects(() => write, 'refused')
    for (const result of (await late)!) {
      assert.equal(result, 'A statement came after the end of its transaction')
    }
    assert.notInclude(await namesOf(world), 'Late')
  })
})

test.group('Hooks of a transaction', () => {
  test('change no answer if they fail, and the next transaction works', async ({ assert }) => {
    const world = await makeWorld()
    const failing = () => {
      throw new Error('a hook fails')
    }
    const results = await answersOf([
      transact(database, async (client) => {
        client.after('commit', failing)
        await rename(client, world, 'QA', 'Stored')
      }),
      transact(database, async (client) => {
        client.after('rollback', failing)
        throw new Error('refused')
      }),
      transact(database, async (client) => rename(client, world, 'CX', 'Next')),
    ])
    assert.deepEqual(results, ['done', 'refused', 'done'])
    assert.includeMembers(await namesOf(world), ['Stored', 'Next'])
  })
})

if (!postgres) {
  test.group('Writes that share a transaction of SQLite', () => {
    test('are all answered if one cannot be rolled back', async ({ assert, cleanup }) => {
      const world = await makeWorld()
      // Stops the clock, so that even on a busy machine all writes share one transaction.
      const moment = performance.now()
      performance.now = () => moment
      cleanup(() => void Reflect.deleteProperty(performance, 'now'))
      const results = await answersOf([
        transact(database, async (client) => rename(client, world, 'QA', 'First')),
        transact<unknown>(database, async (_client, held) => {
          const connection = held as BetterSqlite3.Database
          const prepare = connection.prepare.bind(connection)
          connection.prepare = ((sql: string) => {
            if (sql !== 'ROLLBACK TO one') return prepare(sql)
            connection.prepare = prepare
            throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' })
          }) as typeof prepare
          throw new Error('refused')
        }),
        transact(database, async (client) => rename(client, world, 'CX', 'Third')),
      ])
      assert.deepEqual(results, ['not_stored', 'not_stored', 'done'])
      const names = await namesOf(world)
      assert.notInclude(names, 'First')
      assert.include(names, 'Third')
    })

    test('do not get refusals that rest on a write that was not stored', async ({ assert }) => {
      const world = await makeWorld()
      const four = () => [
        transact(database, async () => {
          throw new Error('refused on its own')
        }),
        transact(database, async (client) => {
          await rename(client, world, 'QA', 'Taken')
          await insertOrphanMember(client, world.organizationId)
        }),
        transact(database, async (client) => {
          const taken = await client.from('groups').where('name', 'Taken').first()
          if (taken) throw new Error('name is taken')
        }),
        transact(database, async (client) => rename(client, world, 'CX', 'Innocent')),
      ]
      // On a busy machine a group may end early; then this is repeated.
      let results = await answersOf(four())
      for (let more = 0; more < 9 && results.includes('done'); more++) {
        await transact(database, async (client) => rename(client, world, 'Innocent', 'CX'))
        results = await answersOf(four())
      }
      assert.deepEqual(results, ['refused on its own', 'not_stored', 'not_stored', 'not_stored'])
    })

    test('are given up together if another process holds the lock for too long', async ({
      assert,
    }) => {
      const world = await makeWorld()
      const [{ file }] = await db.rawQuery('pragma database_list')
      const other = new BetterSqlite3(file)
      const transactions = new SqliteTransactions(database, 300)
      other.exec('begin immediate')
      const order: string[] = []
      const write = (name: string) =>
        transactions
          .run(async (client) => rename(client, world, 'QA', name))
          .finally(() => order.push(name))
      const results = answersOf([write('a'), write('b'), write('c')])
      // Reads by the query builder are served meanwhile.
      assert.include(await namesOf(world), 'QA')
      assert.deepEqual(order, [])
      assert.deepEqual(await results, ['SQLITE_BUSY', 'SQLITE_BUSY', 'SQLITE_BUSY'])
      other.exec('rollback')
      other.close()
      assert.deepEqual(await answersOf([write('d')]), ['done'])
      assert.include(await namesOf(world), 'd')
    })
  })
}

test.group('A change whose answer is not awaited', () => {
  /** Makes a valid change, and one that violates a unique key. */
  const collide = (world: World, more: (scope: Scope) => Promise<unknown>) =>
    world.write(async (scope) => {
      const rows = await scope.table('groups').whereIn('name', ['QA', 'CX']).orderBy('name')
      await scope.update(groups, { id: rows[0].id }, { name: 'Renamed' })
      await scope.update(groups, { id: rows[1].id }, { nameKey: rows[0].name_key })
      return more(scope)
    })

  test('fails the transaction with its own error', async ({ assert }) => {
    const world = await makeWorld()
    const before = await namesOf(world)
    const endings = [
      async () => 'nothing',
      (scope: Scope) => scope.table('groups').select('id'),
      (scope: Scope) => scope.update(groups, { name: 'CX' }, { name: 'Third' }),
    ]
    for (const more of endings) {
      const [code] = await answersOf([collide(world, more)])
      assert.match(code, /^(23505|SQLITE_CONSTRAINT_UNIQUE)$/)
      assert.deepEqual(await namesOf(world), before)
    }
    assert.equal(await world.write(async () => 'the next works'), 'the next works')
  })
})

if (postgres) {
  test.group('A BEGIN that fails while its connection lives', () => {
    test('prevents all writes', async ({ assert, cleanup }) => {
      const world = await makeWorld()
      const before = await namesOf(world)
      const { query } = pg.Client.prototype
      cleanup(() => {
        pg.Client.prototype.query = query
      })
      const changes: ((scope: Scope) => Promise<unknown>)[] = [
        (scope: Scope) => scope.update(groups, { name: 'CX' }, { name: 'Loose' }),
        async (scope: Scope) => scope.table('groups').where('name', 'CX').update({ name: 'Loose' }),
        (scope: Scope) => scope.rows(ONE),
      ]
      for (const change of changes) {
        pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
          pg.Client.prototype.query = query
          return Reflect.apply(query, this, given[0] === 'begin' ? ['select 1 / 0'] : given)
        } as typeof query
        assert.deepEqual(await answersOf([world.write<unknown>(change)]), ['22012'])
        assert.deepEqual(await namesOf(world), before)
      }
    })
  })
}
