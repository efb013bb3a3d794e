import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { makeWorld } from '#tests/support/world'

const titleOf = async (title: string) => {
  const { organizationId, write } = await makeWorld()
  await write(async (scope) =>
    scope.events.record({ type: 'release.created', entityKey: 'release:one', title })
  )
  const row = await db.from('events').where('organization_id', organizationId).firstOrFail()
  return row.title as string
}

test.group('Titles of events', () => {
  test('are cut after 500 characters, and never within a character', async ({ assert }) => {
    assert.equal(await titleOf('a'.repeat(500)), 'a'.repeat(500))
    assert.equal(await titleOf('a'.repeat(501)), `${'a'.repeat(499)}…`)
    assert.equal(await titleOf('🛫'.repeat(500)), '🛫'.repeat(500))
    assert.equal(await titleOf('🛫'.repeat(501)), `${'🛫'.repeat(499)}…`)
  })
})
