import { test } from '@japa/runner'
import { contractFaults, INPUT, refusal, stageWith } from './support/stage.js'
import { DAY_MS } from '../fake/world.js'

/*
 * Behaviour of App Store Connect that the conformance suite does not cover: version names that must
 * rise, things that are made but not found yet, reads that lag, phased releases.
 */

test.group('App Store Connect | versions', () => {
  test('a version is made with its build, even before Apple finds it', async ({ assert }) => {
    const { bench, fake, store } = await stageWith()
    const made = await store.prepare(INPUT, bench.mutation())
    assert.deepInclude(made, { version: '1.3.0', buildId: 'b41', buildNumbers: ['41'] })
    assert.deepEqual(made.release, { method: 'manual' })
    assert.deepInclude(made.rollout, { state: 'inactive', raw: 'INACTIVE', fraction: 0 })
    assert.equal(made.status.lagSeconds, 0)
    // A repeated call while no list shows the version returns the same one.
    fake.world.settings.appearingMs = 5000
    fake.world.versions[1].shownAt = fake.now + 5000
    const again = await store.prepare(INPUT, bench.mutation())
    assert.equal(again.id, made.id)
    assert.lengthOf(fake.world.versions, 2)
    assert.deepEqual(contractFaults(fake.requests()), [])
  })

  test('a version that no list shows in time has to be requested again', async ({ assert }) => {
    const { bench, fake, store } = await stageWith()
    await store.prepare(INPUT, bench.mutation())
    fake.world.versions[1].shownAt = fake.now + 3_600_000
    const { code, detail } = await refusal(store.prepare(INPUT, bench.mutation()))
    assert.deepEqual([code, detail.reason], ['preconditionFailed', 'preparing'])
    assert.isAbove(detail.retryAfterMs ?? 0, 0)
  })

  test('a version name that was used, or is lower, is refused in words', async ({ assert }) => {
    const { bench, fake, store } = await stageWith()
    fake.world.builds.push({ ...fake.world.builds[0], id: 'b9', number: '9', version: '1.0.0' })
    const lower = await refusal(
      store.prepare({ ...INPUT, version: '1.0.0', buildNumber: '9' }, bench.mutation())
    )
    assert.equal(lower.code, 'invalid')
    assert.match(lower.message, /not higher than that of the last version\. Whoever releases/)
    // A version from long ago: no list has it any more.
    fake.world.versions.unshift({ ...fake.world.versions[0], id: 'v0', version: '1.0.0' })
    fake.world.versions[0].shownAt = Infinity
    const used = await refusal(
      store.prepare({ ...INPUT, version: '1.0.0', buildNumber: '9' }, bench.mutation())
    )
    assert.equal(used.code, 'invalid')
    assert.match(used.message, /name is taken.*Whoever releases chooses a higher one/)
    assert.deepEqual(contractFaults(fake.requests()), [])
  })

  test('another version under way is a conflict', async ({ assert }) => {
    const { bench, fake, store } = await stageWith({ version: '1.2.9', state: 'inReview' })
    const { code, message, detail } = await refusal(store.prepare(INPUT, bench.mutation()))
    assert.equal(code, 'conflict')
    assert.match(message, /one at a time\. Whoever releases brings that one to users/)
    assert.equal(detail.raw, 'You cannot create a new version of the App in the current state.')
    assert.lengthOf(fake.world.versions, 2)
  })

  test('a build that cannot be used is refused before anything is made: {what}')
    .with([
      { what: 'expired', build: { isExpired: true }, says: /has expired/ },
      { what: 'processing', build: { processing: 'PROCESSING' }, says: /not processed/ },
      { what: 'invalid', build: { processing: 'INVALID' }, says: /invalid/ },
    ])
    .run(async ({ assert }, { build, says }) => {
      const { bench, fake, store } = await stageWith()
      Object.assign(fake.world.builds[1], build)
      const { code, message } = await refusal(store.prepare(INPUT, bench.mutation()))
      assert.equal(code, 'preconditionFailed')
      assert.match(message, says)
      assert.lengthOf(fake.world.versions, 1)
    })

  test('a version in review keeps its build, and is not changed', async ({ assert }) => {
    const { bench, fake, store } = await stageWith({ state: 'inReview' })
    const from = fake.requests().length
    const same = await store.prepare(INPUT, bench.mutation())
    assert.equal(same.status.state, 'inReview')
    assert.isTrue(
      fake
        .requests()
        .slice(from)
        .every(({ method }) => method === 'GET')
    )
    fake.world.builds.push({ ...fake.world.builds[1], id: 'b42', number: '42' })
    const other = store.prepare({ ...INPUT, buildNumber: '42' }, bench.mutation())
    const { code, detail } = await refusal(other)
    assert.deepEqual([code, detail.reason], ['conflict', 'notEditable'])
  })

  test('an existing version gets its build, release and phases', async ({ assert }) => {
    const { bench, fake, store } = await stageWith({ buildNumber: null })
    const at = '2026-12-01T09:00:00.000Z'
    const scheduled = await store.prepare({ ...INPUT, release: { at } }, bench.mutation())
    assert.deepEqual(scheduled.release, { method: 'scheduled', at })
    assert.equal(scheduled.buildId, 'b41')
    const within = { at: '2026-12-01T08:00:00.001Z' }
    const later = await store.prepare({ ...INPUT, release: within }, bench.mutation())
    assert.equal(later.release?.at, at, 'Apple takes full hours alone')
    assert.isNotNull(fake.world.versions[1].phased)
    const plain = await store.prepare(
      { ...INPUT, phased: false, release: 'auto' },
      bench.mutation()
    )
    assert.deepEqual(plain.release, { method: 'auto' })
    assert.isUndefined(plain.rollout)
    assert.isNull(fake.world.versions[1].phased)
    assert.deepEqual(contractFaults(fake.requests()), [])
  })

  test('phases whose answer was lost are found, although reads lag', async ({ assert }) => {
    const { bench, fake, store } = await stageWith({})
    fake.world.settings.lagMs = 5000
    fake.failNext('pass', 'pass', 'pass', 'pass', 'lost')
    const lost = await refusal(store.prepare(INPUT, bench.mutation()))
    assert.equal(lost.detail.outcome, 'unknown')
    const { rollout } = await store.prepare(INPUT, bench.mutation())
    assert.equal(rollout?.state, 'inactive')
    assert.lengthOf(fake.world.versions, 2)
  })

  test('past versions are listed with their dates, and removed ones as such', async ({
    assert,
  }) => {
    const { fake, store } = await stageWith({ state: 'removed' })
    const { items } = await store.listVersions({ states: ['live', 'replaced'] })
    assert.deepEqual(
      items.map(({ version, status }) => [version, status.state]),
      [['1.2.3', 'live']]
    )
    assert.equal(items[0].rollout?.startedAt, new Date(fake.now).toISOString())
    const all = await store.listVersions({})
    assert.deepEqual(
      all.items.map(({ version, status }) => [version, status.state, status.raw]),
      [
        ['1.3.0', 'removed', 'DEVELOPER_REMOVED_FROM_SALE'],
        ['1.2.3', 'live', 'READY_FOR_DISTRIBUTION'],
      ]
    )
    assert.deepEqual((await store.listVersions({ states: ['halted'] })).items, [])
  })

  test('reads say that they may lag, and changes that they do not', async ({ assert }) => {
    const { bench, fake, store, keyed } = await stageWith({
      state: 'rolledOutPartially',
      fraction: 0.05,
      rollout: 'active',
    })
    fake.world.settings.lagMs = 50_000
    const { after } = await store.setRollout('v2', { action: 'pause' }, keyed('replace'))
    assert.deepEqual([after.rollout?.state, after.status.lagSeconds], ['paused', 0])
    const seen = async () => (await store.listVersions({ version: '1.3.0' })).items[0]
    const early = await seen()
    assert.equal(early.rollout?.state, 'active')
    bench.pass(early.status.lagSeconds * 1000)
    assert.equal((await seen()).rollout?.state, 'paused')
  })
})

const ROLLING = { state: 'rolledOutPartially', fraction: 0.05, rollout: 'active' } as const

test.group('App Store Connect | phased releases', () => {
  test('a replaced version keeps the share that its phases had reached', async ({ assert }) => {
    const { fake, store } = await stageWith(ROLLING)
    const rolling = fake.world.versions.find(({ id }) => id === 'v2')!
    // A newer version ends the phased release.
    Object.assign(rolling, { state: 'REPLACED_WITH_NEW_VERSION' })
    Object.assign(rolling.phased!, { state: 'COMPLETE' })
    const { items } = await store.listVersions({ version: '1.3.0' })
    assert.equal(items[0].status.state, 'replaced')
    assert.include(items[0].rollout, { state: 'complete', fraction: 0.05 })
  })

  test('a submission shows the prepared phases, although reads lag', async ({ assert }) => {
    const { bench, fake, store, keyed } = await stageWith()
    const before = await store.prepare(INPUT, bench.mutation())
    assert.equal(before.rollout?.state, 'inactive')
    bench.pass(120_000)
    fake.world.settings.lagMs = 30_000
    const input = { ...INPUT, phased: false } as const
    const { id } = await store.prepare(input, bench.mutation())
    const sent = await store.submit(id, { ...keyed('fail'), phased: false })
    assert.deepInclude(sent.status, { state: 'waitingForReview', lagSeconds: 0 })
    assert.isUndefined(sent.rollout)
  })

  test('a share follows from the day, and no other is accepted', async ({ assert }) => {
    const { bench, store, keyed } = await stageWith(ROLLING)
    const shares: (number | undefined)[] = []
    for (let day = 3; day <= 8; day++, bench.pass(DAY_MS)) {
      const { items } = await store.listVersions({ version: '1.3.0' })
      shares.push(items[0].rollout?.fraction)
    }
    assert.deepEqual(shares, [0.05, 0.1, 0.2, 0.5, 1, 1])
    const grown = await refusal(store.setRollout('v2', { fraction: 0.5 }, keyed('fail')))
    assert.equal(grown.code, 'unsupported')
  })

  test('a phased release can be paused for 30 days in all', async ({ assert }) => {
    const { bench, fake, store, keyed } = await stageWith(ROLLING)
    await store.setRollout('v2', { action: 'pause' }, keyed('replace'))
    bench.pass(29 * DAY_MS)
    const { items } = await store.listVersions({ version: '1.3.0' })
    assert.deepInclude(items[0].rollout, { state: 'paused', pausedDays: 29, day: 3 })
    bench.pass(2 * DAY_MS)
    const { code, message } = await refusal(
      store.setRollout('v2', { action: 'pause' }, keyed('replace'))
    )
    assert.equal(code, 'preconditionFailed')
    assert.match(message, /paused for 30 days in all/)
    assert.equal(fake.world.versions[1].phased?.state, 'ACTIVE')
    assert.deepEqual(contractFaults(fake.requests()), [])
  })

  test('a version without phases has no rollout to stop', async ({ assert }) => {
    const { store, keyed } = await stageWith()
    const live = await stageWith({ state: 'live', fraction: 1 })
    const { code, detail } = await refusal(
      live.store.setRollout('v2', { action: 'halt' }, keyed('replace'))
    )
    assert.deepEqual([code, detail.reason], ['preconditionFailed', 'notPhased'])
    // A version that all users have is complete.
    const { after } = await live.store.setRollout('v2', { action: 'complete' }, keyed('fail'))
    assert.equal(after.status.state, 'live')
    const over = await refusal(store.setRollout('v1', { action: 'pause' }, keyed('replace')))
    assert.match(over.message, /state of the version does not allow this/)
  })

  test('growth of an unreleased version is refused, but its stop is still requested', async ({
    assert,
  }) => {
    const { bench, fake, store, since, keyed } = await stageWith({})
    await store.prepare(INPUT, bench.mutation())
    for (const action of ['resume', 'complete', 'start'] as const) {
      const { detail } = await refusal(store.setRollout('v2', { action }, keyed('fail')))
      assert.equal(detail.reason, 'notLive')
    }
    const from = fake.requests().length
    await refusal(store.setRollout('v2', { action: 'pause' }, keyed('replace')))
    assert.isTrue(since(from).some((each) => each.startsWith('PATCH')))
  })

  test('a phased release that has not begun is shown as Apple shows it: {raw}')
    .with([
      { raw: 'SLEEPING', reason: 'rolloutUnknown', says: /as SLEEPING.*changes it there/ },
      { raw: 'INACTIVE', reason: 'notLive', says: /is live, and Apple.*as INACTIVE.*waits/ },
    ])
    .run(async ({ assert }, { raw, reason, says }) => {
      const { fake, store, keyed } = await stageWith(ROLLING)
      fake.world.versions[1].phased!.state = raw
      const { detail, message } = await refusal(
        store.setRollout('v2', { action: 'complete' }, keyed('fail'))
      )
      assert.equal(detail.reason, reason)
      assert.match(message, says)
    })

  test('a change that is already made is no error, although Apple refuses it', async ({
    assert,
  }) => {
    const { fake, store, keyed } = await stageWith({ ...ROLLING, rollout: 'paused' })
    fake.failNext('pass', {
      status: 409,
      body: { errors: [{ status: '409', code: 'STATE_ERROR', title: 'No', detail: 'No' }] },
    })
    const { after } = await store.setRollout('v2', { action: 'pause' }, keyed('replace'))
    assert.equal(after.rollout?.state, 'paused')
  })
})
