import { test } from '@japa/runner'
import { eventCatalog } from '#foundation/core/events/catalog'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { NOTIFICATION_TYPES } from '../vocabulary.js'

test.group('GET /app/{appId}/notifications', () => {
  test('200 has each type once, among them all webhook events', async ({ assert }) => {
    const { admin, app } = await makeTrain()
    const { status, body } = await admin.get(`/app/${app}/notifications`)
    assert.equal(status, 200)
    assert.deepEqual(
      body.map(({ type }: { type: string }) => type),
      NOTIFICATION_TYPES
    )
    const notified = NOTIFICATION_TYPES.filter((type) => eventCatalog.has(type))
    assert.sameMembers(
      notified,
      eventCatalog.all().map(({ type }) => type)
    )
    assert.containsSubset(body, [
      { type: 'release.kickoffReminder', enabled: true, leadTimeMinutes: 1440 },
      { type: 'releaseStep.statusChanged', enabled: false, leadTimeMinutes: null },
      { type: 'automation.failed', enabled: true, channelOverride: null },
    ])
  })
})

test.group('PUT /app/{appId}/notifications', () => {
  test('200 changes only the given fields; equal values write nothing', async ({ assert }) => {
    const { admin, app, world } = await makeTrain()
    const path = `/app/${app}/notifications`
    const type = 'releaseStep.statusChanged'
    const set = await admin.put(path, { type, enabled: true, channelOverride: '__proto__' })
    assert.containsSubset(set.body, { type, enabled: true, channelOverride: '__proto__' })
    const count = (await world.events()).length
    await admin.put(path, { type, enabled: true })
    await admin.put(path, { type })
    assert.equal((await world.events()).length, count)
    const cleared = await admin.put(path, { type, channelOverride: null })
    assert.containsSubset(cleared.body, { enabled: true, channelOverride: null })
    const { body } = await admin.get(path)
    assert.containsSubset(body, [cleared.body])
  })

  test('200 sets lead time and channel of a reminder together', async ({ assert }) => {
    const { admin, app } = await makeTrain()
    const path = `/app/${app}/notifications`
    const type = 'release.submitReminder'
    const changes = { enabled: false, leadTimeMinutes: 0, channelOverride: 'C9' }
    const { body } = await admin.put(path, { type, ...changes })
    assert.deepEqual(body, { id: `${app}:${type}`, type, ...changes })
  })

  test('403, 404 and 422, and nothing is written', async ({ assert }) => {
    const { world, app, admin } = await makeTrain()
    const stranger = await makeTrain()
    const path = `/app/${app}/notifications`
    const body = { type: 'release.created', enabled: false }
    const key = await world.keyed({ groups: ['QA'] })
    assert.equal((await key.put(path, body)).status, 403)
    assert.equal((await stranger.admin.put(path, body)).status, 404)
    assert.equal((await stranger.admin.get(path)).status, 404)
    const count = (await world.events()).length
    for (const [broken, pointer] of [
      [{ type: 'release.lunchReminder' }, '/type'],
      [{ type: 'release.created', leadTimeMinutes: 10 }, '/leadTimeMinutes'],
      [{ type: 'release.kickoffReminder', leadTimeMinutes: -1 }, '/leadTimeMinutes'],
      [{ type: 'release.created', channelOverride: '' }, '/channelOverride'],
      [{ type: 'release.created', channelOverride: 'x'.repeat(201) }, '/channelOverride'],
      [{ enabled: true }, '/type'],
    ] as const) {
      const response = await admin.put(path, broken)
      assert.equal(response.status, 422, JSON.stringify(broken))
      assert.equal(response.body.errors[0].pointer, pointer)
    }
    assert.equal((await world.events()).length, count)
  })
})
