import { test } from '@japa/runner'
import { DAY, makePlanned, pass, setStage, weekly } from './support.js'

test.group('POST /app/{appId}/releaseSchedule/outlook', () => {
  test('200 shows the schedule under a proposed cadence, and writes nothing', async ({
    assert,
  }) => {
    const { admin, at, world } = await makePlanned()
    const stage = await setStage()
    const cadence = weekly(stage.clock.now())
    const count = (await world.events()).length
    const { status, body } = await admin.post(at('releaseSchedule/outlook'), cadence)
    assert.equal(status, 200)
    assert.deepEqual(body.drafts, { moved: [], removed: [], kept: [] })
    assert.equal((await world.events()).length, count)
    assert.deepEqual((await admin.get(at('releaseSchedule'))).body, [])
    assert.isFalse((await admin.get(at('scheduleCadence'))).body.enabled)
    // The schedule is the same once the cadence is set.
    await admin.put(at('scheduleCadence'), cadence)
    assert.deepEqual((await admin.get(at('releaseSchedule'))).body, body.releases)
    assert.isAtLeast(body.releases.length, 11)
  })

  test('200 shows the effect on drafts, in the requested weeks', async ({ assert }) => {
    const { admin, at } = await makePlanned()
    const stage = await setStage()
    await admin.put(at('scheduleCadence'), weekly(stage.clock.now()))
    await pass(stage, DAY)
    const before = (await admin.get(at('releaseSchedule'))).body
    const drafted = before.filter(({ predicted }: { predicted: boolean }) => !predicted)
    assert.isNotEmpty(drafted)
    const path = at('releaseSchedule/outlook')
    const { body } = await admin.post(path, { timezone: 'Asia/Tokyo' })
    assert.lengthOf(body.drafts.moved, drafted.length)
    assert.deepEqual(
      body.releases.find(({ version }: { version: string }) => version === drafted[0].version)
        .targetKickoffAt,
      body.drafts.moved[0].targetKickoffAt
    )
    const to = before[2].targetKickoffAt
    const short = await admin.post(`${path}?to=${to}`, { timezone: 'Asia/Tokyo' })
    assert.isBelow(short.body.releases.length, body.releases.length)
    assert.deepEqual((await admin.get(at('releaseSchedule'))).body, before)
  })

  test('412 somebody else was faster, 422 each fault with its place', async ({ assert }) => {
    const { admin, at } = await makePlanned()
    const { headers } = await admin.get(at('scheduleCadence'))
    const path = at('releaseSchedule/outlook')
    const cadence = {
      startDate: '2026-11-02',
      targets: [{ kickoff: { dayOffset: 0, time: '10:00' } }],
    }
    await admin.put(at('scheduleCadence'), cadence)
    const seen = { headers: { 'if-match': headers.etag } }
    assert.equal((await admin.post(path, { paused: true }, seen)).status, 412)
    const { status, body } = await admin.post(path, { timezone: 'Moon', startDate: '2026-02-30' })
    assert.equal(status, 422)
    assert.sameMembers(
      body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/timezone', '/startDate']
    )
  })
})
