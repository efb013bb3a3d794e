import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { shareStores } from '#database/share_stores'
import { sharedWorld, rollOut } from '#stores/tests/shared_store'
import { tidy } from '#stores/tests/support'

/** A record of a form factor, as it was before a package had one alone. */
async function ofForm(organizationId: string, platform: string, bundleId: string, call: object) {
  const [own] = await db.from('store_records').where('organization_id', organizationId)
  const id = `store_${platform}${bundleId}`.slice(0, 60)
  const values = { ...own, id, platform, bundle_id: bundleId, generation: 7, lag_seconds: 90 }
  await db.table('store_records').insert({ ...values, calls: JSON.stringify([{ call }]) })
  return id
}

test.group('Records of form factors on Google Play, from before a package had one', (group) => {
  group.each.teardown(tidy)

  test('become that of the package, whose next read is the first', async ({ assert }) => {
    const given = await sharedWorld({ platform: 'wearos' })
    const { admin, shared, other, turns, world } = given
    const track = 'wear:production'
    rollOut(shared, '1.4.0')
    rollOut(shared, '1.4.0', { code: '9000', track })
    await turns(3)
    const { organizationId } = world
    const mine = () => db.from('store_records').where('organization_id', organizationId)
    const [before] = await mine()
    const wear = await ofForm(organizationId, 'wearos', 'shared', { version: '1.4.0' })
    const lone = await ofForm(organizationId, 'androidtv', 'alone', { version: '2.0.0' })
    const members = db.from('store_members').where('organization_id', organizationId)
    const theirs = db.from('integrations').where('app_id', other.appId).select('id')
    await members.clone().whereIn('integration_id', theirs).update({ store_id: wear })
    await shareStores(db.connection())
    const rows = await mine().orderBy('bundle_id')
    assert.deepEqual(
      rows.map(({ id, platform, polled_at: polledAt }) => [id, platform, polledAt]),
      [
        [lone, 'android', null],
        [before.id, 'android', null],
      ]
    )
    assert.equal(Number(rows[1].lag_seconds), 90)
    assert.isAtLeast(Number(rows[1].generation), 7)
    assert.deepEqual(
      rows.map(({ calls }) => JSON.parse(calls).at(-1).call.version),
      ['tv:production 2.0.0', 'wear:production 1.4.0']
    )
    const stores = new Set((await members.clone()).map(({ store_id: id }) => id))
    assert.deepEqual([...stores], [before.id])
    // It works on, of both form factors.
    await db.from('store_records').where('id', before.id).update({ calls: '[]' })
    assert.equal((await admin.put(`${other.path()}/redButton`)).status, 200)
    await turns(4)
    assert.deepEqual(shared.changes, ['setRollout halt'])
    assert.equal(shared.find('1.4.0', track)!.rollout!.state, 'halted')
  })
})
