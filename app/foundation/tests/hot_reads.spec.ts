import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import type { Database } from '@adonisjs/lucid/database'
import { isPostgres } from '../core/database/connections.js'
import { selects } from '../core/services.js'
import { as, select } from '../core/database/statement.js'
import { integer, json, text } from '../core/database/table.js'
import { makeWorld } from '#tests/support/world'

const database = db as unknown as Database

const GROUPS = select(
  {
    id: as(text(), 'g.id'),
    name: as(text(), 'g.name'),
    actions: as(json<string[]>(), 'g.user_actions'),
  },
  'from groups g where g.organization_id = :org order by g.id'
)

/** An organization, and its groups as they are read outside of a transaction. */
async function makeGroups() {
  const world = await makeWorld()
  const org = world.organizationId
  return {
    read: () => selects.rows(GROUPS, { org }),
    rename: (name: string) => world.write((scope) => scope.table('groups').update({ name })),
  }
}

test.group('Rows read outside of a transaction', () => {
  test('are those of now, whoever has committed in between', async ({ assert }) => {
    const { read, rename } = await makeGroups()
    for (const name of ['A', 'AA', 'AAA']) {
      const named = await read().then(async () => {
        await rename(name)
        return (await read())[0].name
      })
      assert.equal(named, name)
    }
  })

  test('that follow from what was just read are of the same state', async ({ assert }) => {
    const { read, rename } = await makeGroups()
    await read()
    const before = await read()
    const change = rename('Next')
    const pairs = Array.from({ length: 30 }, async () => [await read(), await read()])
    for (const [one, next] of await Promise.all(pairs)) {
      const names = (rows: typeof one) => new Set(rows.map(({ name }) => name))
      const isNew = names(one).has('Next')
      assert.deepEqual(isNew ? names(next) : names(one), isNew ? new Set(['Next']) : names(before))
    }
    await change
    assert.deepEqual(new Set((await read()).map(({ name }) => name)), new Set(['Next']))
  })

  test('cannot be changed by one who got them', async ({ assert }) => {
    const { read } = await makeGroups()
    const rows = await read()
    assert.throws(() => rows[0].actions.push('mine'))
    rows.length = 0
    assert.isNotEmpty(await read())
  })
})

if (isPostgres(database)) {
  test.group('Rows read outside of a transaction of PostgreSQL', (group) => {
    const drop = () => db.rawQuery('drop sequence if exists hot_asked')
    group.each.setup(async () => {
      await drop()
      await db.rawQuery('create sequence hot_asked')
      return () => drop()
    })

    /** Tells how often it was asked. */
    const COUNTED = select({ count: as(integer(), `cast(nextval('hot_asked') as integer)`) }, '')

    test('are asked for once by all who ask alike in one turn', async ({ assert }) => {
      const ask = async () => (await selects.rows(COUNTED, {}))[0].count
      assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [1, 1, 1])
      await nextTurn()
      const first = ask()
      await nextTurn()
      const second = ask()
      // Each on a connection of its own, in whatever order.
      assert.sameMembers([await first, await second], [2, 3])
      const failing = () => selects.rows(select({ nothing: as(text(), 'nothing') }, ''), {})
      for (const one of await Promise.allSettled([failing(), failing()])) {
        assert.equal(one.status, 'rejected')
      }
    })

    test('do not wait behind those that are slow', async ({ assert }) => {
      const { read } = await makeGroups()
      let isOver = false
      const asleep = select({ one: as(integer(), '1') }, 'from pg_sleep(2)')
      const slow = selects.rows(asleep, {}).then(() => (isOver = true))
      await pause(200)
      const others = Array.from({ length: 8 }, async (_, index) => {
        await pause(index)
        await Promise.all(Array.from({ length: 10 }, () => read()))
      })
      await Promise.all(others)
      assert.isFalse(isOver)
      await slow
    })
  })
}
