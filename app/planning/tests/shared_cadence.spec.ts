import { test } from '@japa/runner'
import { later } from '#foundation/core/clock'
import { makeApp, makeUser } from '#tests/support/app_fixture'
import { hasRowLocks, soon, writeTo } from '#tests/support/locked_apps'
import {
  makePlanned,
  pass,
  patchConfig,
  releasesOf,
  setStage,
  weekly,
  DAY,
  HOUR,
} from './support.js'

/** Makes two platforms of a product, the second of which follows the cadence of the first. */
async function makeTwo() {
  const stage = await setStage()
  const first = await makePlanned()
  const { world, admin, app: leader } = first
  const follower = await makeApp(world, { platform: 'android' })
  const path = (app: string, what = 'scheduleCadence') => `/app/${app}/${what}`
  const lead = (body: object) => admin.put(path(leader), body)
  const set = (body: object) => admin.put(path(follower), body)
  const given = weekly(stage.clock.now())
  return { stage, world, admin, leader, follower, path, lead, set, weekly: given }
}

type Two = Awaited<ReturnType<typeof makeTwo>>

const kickoffs = async ({ admin, path }: Two, app: string) => {
  const { body } = await admin.get(path(app, 'releaseSchedule'))
  return body.map(({ targetKickoffAt }: { targetKickoffAt: string }) => targetKickoffAt)
}

test.group('A cadence that two apps share', () => {
  if (hasRowLocks) {
    test('waits a while for writes to the other app, then answers 503, so no two wait for each other', async ({
      assert,
      cleanup,
    }) => {
      const { admin, leader, follower, path, weekly: cadence } = await makeTwo()
      const [first, second] = [leader, follower].sort()
      await admin.put(path(first), cadence)
      const end = await writeTo(first, cleanup)
      const follow = () => admin.put(path(second), { followsAppId: first })
      const response = await soon(follow())
      assert.containsSubset(response, { status: 503, body: { code: 'not_ready' } })
      await end()
      const endShort = await writeTo(first, cleanup)
      const waiting = follow()
      setTimeout(() => void endShort(), 300)
      assert.equal((await waiting).status, 200)
      await writeTo(first, cleanup, 'key share')
      assert.equal((await follow()).status, 200)
    })
  }

  test('drafts for both on the same days, and follows changes', async ({ assert }) => {
    const two = await makeTwo()
    const { stage, lead, set, leader, follower, path, admin } = two
    await lead(two.weekly)
    const { status, body, text } = await set({ followsAppId: leader })
    assert.equal(status, 200, text)
    const shown = (await admin.get(path(leader))).body
    assert.isNull(shown.followsAppId)
    assert.deepEqual(body, { ...shown, followsAppId: leader })
    await pass(stage, HOUR)
    assert.lengthOf(await releasesOf(leader), 4)
    assert.lengthOf(await releasesOf(follower), 4)
    assert.deepEqual(await kickoffs(two, follower), await kickoffs(two, leader))

    await lead({ intervalWeeks: 3, timezone: 'Asia/Kathmandu' })
    await pass(stage, HOUR)
    const followed = (await admin.get(path(follower))).body
    assert.deepEqual([followed.intervalWeeks, followed.timezone], [3, 'Asia/Kathmandu'])
    assert.deepEqual(await kickoffs(two, follower), await kickoffs(two, leader))
    await pass(stage, 42 * DAY, 7 * DAY)
    const drafted = (await releasesOf(follower)).length
    assert.equal(drafted, (await releasesOf(leader)).length)
    assert.isAbove(drafted, 2)
  })

  test('is paused and switched off for each app separately', async ({ assert }) => {
    const { stage, lead, set, leader, follower, path, admin, ...two } = await makeTwo()
    await lead(two.weekly)
    await set({ followsAppId: leader, paused: true })
    await pass(stage, HOUR)
    assert.lengthOf(await releasesOf(follower), 0)
    assert.lengthOf(await releasesOf(leader), 4)
    await lead({ enabled: false, draftWeeksAhead: 2 })
    await pass(stage, HOUR)
    const { body } = await admin.get(path(follower))
    assert.containsSubset(body, { enabled: true, paused: true, draftWeeksAhead: 2 })
    await set({ paused: false })
    await pass(stage, HOUR)
    assert.lengthOf(await releasesOf(follower), 2)
  })

  test('can be paused by a key that does not see the followed app, also by file', async ({
    assert,
  }) => {
    const { lead, set, leader, follower, path, world, admin, ...two } = await makeTwo()
    await lead(two.weekly)
    await set({ followsAppId: leader })
    const bound = await world.keyed({ groups: ['Engineering Managers'], appIds: [follower] })
    const paused = await bound.put(path(follower), { paused: true })
    assert.deepEqual([paused.status, paused.body.paused], [200, true], paused.text)
    const file = await bound.get(path(follower, 'app/config'))
    const again = await patchConfig(bound, follower, file.text)
    assert.equal(again.status, 200, again.text)
    // An app that is not followed yet stays hidden from keys that do not see it.
    await set({ followsAppId: null })
    const refused = await bound.put(path(follower), { followsAppId: leader })
    assert.deepEqual([refused.status, refused.body.errors?.[0].code], [422, 'unknown_app'])
  })

  test('becomes an own one on request, and when the other app or its cadence is removed', async ({
    assert,
  }) => {
    const { stage, lead, set, leader, follower, path, admin, ...two } = await makeTwo()
    const shown = async () => (await admin.get(path(follower))).body
    await lead(two.weekly)
    await set({ followsAppId: leader })
    const own = await set({ followsAppId: null, intervalWeeks: 5 })
    assert.containsSubset(own.body, { followsAppId: null, intervalWeeks: 5 })
    await lead({ intervalWeeks: 2 })
    await pass(stage, HOUR)
    assert.equal((await shown()).intervalWeeks, 5)

    await set({ followsAppId: leader })
    assert.equal((await shown()).intervalWeeks, 2)
    const { status, text } = await admin.delete(`/app/${leader}/app/config?force=true`)
    assert.equal(status, 204, text)
    await pass(stage, HOUR)
    assert.containsSubset(await shown(), { followsAppId: null, intervalWeeks: 2, enabled: true })
  })

  test('200 accepts the values that were read, whole or in part, and changes nothing', async ({
    assert,
  }) => {
    const { stage, lead, set, leader, follower, world, path, admin, ...two } = await makeTwo()
    const ann = await makeUser(world, 'ann@acme.example')
    const day = (days: number) => later(`${two.weekly.startDate}T00:00:00.000Z`, days * DAY)
    const [next, after, last] = [7, 8, 14].map((days) => day(days).slice(0, 10))
    const [{ kickoff, release }] = two.weekly.targets
    const exceptions = [
      { date: next, movedTo: after },
      { date: last, releasePilotId: ann },
    ]
    const absences = [{ userId: ann, from: next, to: after }]
    await lead({ ...two.weekly, targets: [{ kickoff, release }], exceptions, absences })
    await set({ followsAppId: leader, paused: true })
    const { body, headers } = await admin.get(path(follower))
    const count = (await world.events()).length
    const same = await admin.put(path(follower), body, { headers: { 'if-match': headers.etag } })
    assert.deepEqual([same.status, same.body], [200, body], same.text)
    for (const [name, value] of Object.entries({ ...body, exceptions })) {
      const part = await set({ [name]: value })
      assert.deepEqual([part.status, part.body], [200, body], `${name}: ${part.text}`)
    }
    assert.equal((await world.events()).length, count)

    // Changes of the other cadence are followed, so values from a moment ago are no fault.
    await lead({ draftWeeksAhead: 2 })
    const stale = await set(body)
    assert.deepEqual([stale.status, stale.body.draftWeeksAhead], [200, 2], stale.text)
    const old = await set(body)
    const errors = old.body.errors.map(({ pointer, code }: any) => `${pointer} ${code}`)
    assert.deepEqual([old.status, errors], [422, ['/draftWeeksAhead followed']])
    await pass(stage, HOUR)
  })

  test('422 for an unknown app, itself, a following app, or members that are not its own', async ({
    assert,
  }) => {
    const { lead, set, leader, follower, world, path, admin, ...two } = await makeTwo()
    const codes = async (call: ReturnType<typeof set>) => {
      const { status, body } = await call
      assert.equal(status, 422)
      return body.errors.map(({ pointer, code }: any) => `${pointer} ${code}`)
    }
    assert.deepEqual(await codes(set({ followsAppId: 'nobody' })), ['/followsAppId unknown_app'])
    assert.deepEqual(await codes(set({ followsAppId: leader })), ['/followsAppId no_cadence'])
    assert.deepEqual(await codes(set({ followsAppId: follower })), ['/followsAppId itself'])
    const stranger = await makePlanned()
    await stranger.admin.put(stranger.at('scheduleCadence'), two.weekly)
    assert.deepEqual(await codes(set({ followsAppId: stranger.app })), [
      '/followsAppId unknown_app',
    ])
    await lead(two.weekly)
    const { body: before } = await admin.get(path(follower))
    assert.deepEqual(
      await codes(set({ followsAppId: leader, intervalWeeks: 2, timezone: 'Asia/Tokyo' })),
      ['/intervalWeeks followed', '/timezone followed']
    )
    assert.deepEqual((await admin.get(path(follower))).body, before)
    await set({ followsAppId: leader })
    assert.deepEqual(await codes(set({ intervalWeeks: 2 })), ['/intervalWeeks followed'])
    assert.deepEqual(await codes(lead({ followsAppId: follower })), ['/followsAppId follows'])
    const third = await makeApp(world)
    await admin.put(path(third), two.weekly)
    assert.deepEqual(await codes(lead({ followsAppId: third })), ['/followsAppId is_followed'])
  })
})
