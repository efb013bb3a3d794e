import { test } from '@japa/runner'
import { selects } from '../core/services.js'
import { as, select } from '../core/database/statement.js'
import { json, text } from '../core/database/table.js'
import { makeWorld } from '#tests/support/world'

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
