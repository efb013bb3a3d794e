import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { changes, unitOfWork } from '../core/services.js'
import { lastSequence } from '../core/events/last_sequence.js'
import { makeWorld, type World } from '#tests/support/world'

const LONG_AGO = '2026-01-01T00:00:00.000Z'

/** Returns whether some work changes an organization's change number. */
async function moves({ organizationId }: World, work: () => Promise<unknown>): Promise<boolean> {
  const before = await changes.of(organizationId)
  await work()
  return (await changes.of(organizationId)) !== before
}

test.group('The change number of an organization', () => {
  test('grows with every write, by whatever means', async ({ assert }) => {
    const world = await makeWorld()
    const { organizationId, admin, write } = world
    const [path, own] = [`/org/${organizationId}/group`, { organization_id: organizationId }]
    const row = { ...own, id: `grp_${organizationId}`, name: 'Own', name_key: 'own' }
    const given = { is_default: false, user_actions: '[]' }
    const stamps = { created_at: LONG_AGO, updated_at: LONG_AGO }
    const written = {
      operation: () => admin.post(path, { name: 'Crew', userActions: [] }),
      scope: () =>
        write((scope) => scope.table('groups').where('name', 'Crew').update({ name: 'Ours' })),
      insert: () => db.table('groups').insert({ ...row, ...given, ...stamps }),
      update: () => db.from('groups').where('id', row.id).update({ name: 'Others' }),
      remove: () => db.from('groups').where('id', row.id).delete(),
      setting: () =>
        db.from('organizations').where('id', organizationId).update({ require_if_match: true }),
      revocation: () => db.from('api_keys').where(own).update({ revoked_at: LONG_AGO }),
    }
    for (const [means, work] of Object.entries(written)) {
      assert.isTrue(await moves(world, work), means)
    }
  })

  test('stays the same when others write, or when nothing changes that an answer shows', async ({
    assert,
  }) => {
    const [world, other] = [await makeWorld(), await makeWorld()]
    const { organizationId, admin, principal } = world
    const own = { organization_id: organizationId }
    const irrelevant = {
      other: () =>
        other.admin.post(`/org/${other.organizationId}/group`, { name: 'Crew', userActions: [] }),
      use: () => db.from('api_keys').where(own).update({ last_used_at: LONG_AGO }),
      read: () => admin.get(`/org/${organizationId}`),
      refused: () => admin.post(`/org/${organizationId}/group`, { name: '' }),
      rolledBack: () =>
        unitOfWork
          .inTransaction(principal, async (scope) => {
            await scope.table('groups').update({ user_actions: '["EditRelease"]' })
            throw new Error('rolled back')
          })
          .catch(() => {}),
    }
    for (const [name, work] of Object.entries(irrelevant)) {
      assert.isFalse(await moves(world, work), name)
    }
  })

  test('is no event number', async ({ assert }) => {
    const { principal, write } = await makeWorld()
    await write((scope) => scope.table('groups').where('name', 'Admins').update({ name: 'Owners' }))
    assert.equal(await lastSequence(unitOfWork.readScope(principal)), 0)
  })

  test('can be read by many requests at once', async ({ assert }) => {
    const worlds = [await makeWorld(), await makeWorld()]
    const ask = () => Promise.all(worlds.map(({ organizationId: id }) => changes.of(id)))
    const alone = [
      await changes.of(worlds[0].organizationId),
      await changes.of(worlds[1].organizationId),
    ]
    assert.deepEqual(await ask(), alone)
    const many = await Promise.all(Array.from({ length: 1200 }, ask))
    assert.deepEqual(many, Array(1200).fill(alone))
    assert.equal(await changes.of('org_absent'), '')
  })
})
