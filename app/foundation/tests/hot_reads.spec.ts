import { setTimeout as pause } from 'node:timers/promises'
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

/** Makes an organization, and functions that read and rename its groups. */
async function makeGroups() {
  const world = await makeWorld()
  const org = world.organizationId
  return {
    read: () => selects.rows(GROUPS, { org }),
    rename: (name: string) => world.write((scope) => scope.table('groups').update({ name })),
  }
}

test.group('Rows read outside of a transaction', () => {
  test('are up to date after any commit', async ({ assert }) => {
    const { read, rename } = await makeGroups()
    for (const name of ['A', 'AA', 'AAA']) {
      const named = await read().then(async () => {
        await rename(name)
        return (await read())[0].name
      })
      assert.equal(named, name)
    }
  })
})

if (isPostgres(database)) {
  test.group('Rows read outside of a transaction of PostgreSQL', () => {
    test('do not wait behind slow ones', async ({ assert }) => {
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
