import { test } from '@japa/runner'
import { REFUSALS } from '../fake/refusals.js'
import { sampleScenario } from '../fake/sample_scenario.js'
import { refusal, ROLLING, stage, withNext } from './support/stage.js'

const INPUT = {
  ...{ version: '1.3.0', buildNumber: '41', phased: true, fraction: 0.05 },
  release: 'manual',
} as const
/** The same draft with other values. */
const OTHER = { ...INPUT, inAppUpdatePriority: 3 } as const

test.group('Google Play | interference of others', () => {
  test('an edit that somebody else ends is made again, three times at most', async ({ assert }) => {
    const { bench, fake, store, find } = await stage()
    let ended = 0
    fake.beforeCommit = () => {
      if (ended++ < 2) fake.edits.endAll()
    }
    await store.prepare(INPUT, bench.mutation())
    assert.equal((await find('1.3.0')).status.state, 'preparing')
    ended = 0
    fake.beforeCommit = () => fake.edits.endAll()
    const { code, message, detail } = await refusal(store.prepare(OTHER, bench.mutation()))
    assert.equal(code, 'conflict')
    assert.match(message, /of this service or somebody else's, was in the way/)
    assert.equal(detail.raw, 'This Edit has been deleted.')
    assert.equal(detail.outcome, 'notApplied')
  })

  test('a stop is retried for longer than other calls', async ({ assert }) => {
    const { fake, store, replace, find } = await stage(withNext(ROLLING))
    let ended = 0
    fake.beforeCommit = () => {
      if (ended++ < 8) fake.edits.endAll()
    }
    await store.setRollout('production/41', { action: 'halt' }, replace())
    assert.equal((await find('1.3.0')).rollout?.state, 'halted')
  })

  test('an expired edit is made again', async ({ assert }) => {
    const { bench, fake, store, find } = await stage()
    fake.edits.lifeMs = 60_000
    fake.beforeCommit = () => {
      fake.beforeCommit = null
      fake.advance(60_000)
    }
    await store.prepare(INPUT, bench.mutation())
    assert.lengthOf(
      fake.requests().filter(({ response }) => response?.body.includes('has expired')),
      1
    )
    assert.equal((await find('1.3.0')).status.state, 'preparing')
  })

  test('calls of one process do not end each other’s edits', async ({ assert }) => {
    const { bench, fake, store } = await stage()
    await Promise.all([
      store.listVersions({}),
      store.prepare(INPUT, bench.mutation()),
      store.listBuilds({}),
    ])
    const statuses = fake.requests().map(({ response }) => response?.status)
    assert.isTrue(statuses.every((status) => status! < 300))
  })

  test('growth does not undo a concurrent stop', async ({ assert }) => {
    const { fake, store, fail, find } = await stage(withNext(ROLLING))
    fake.beforeCommit = () => {
      fake.beforeCommit = null
      fake.inConsole((own) => {
        own.on('production').find(({ status }) => status === 'inProgress')!.status = 'halted'
      })
    }
    const growth = store.setRollout('production/41', { fraction: 0.5 }, fail())
    assert.equal((await refusal(growth)).detail.reason, 'stoppedMeanwhile')
    assert.include((await find('1.3.0')).rollout, { state: 'halted', fraction: 0.2 })
  })

  test('lists that lag show an earlier state, and say how old it may be', async ({ assert }) => {
    const { bench, fake, store, fail, find } = await stage(withNext({}))
    fake.lagMs = 60_000
    bench.pass(120_000)
    await store.submit('production/41', fail())
    const shown = await find('1.3.0')
    assert.equal(shown.status.state, 'preparing')
    assert.isAtLeast(shown.status.lagSeconds, 60)
    bench.pass(60_000)
    assert.equal((await find('1.3.0')).status.state, 'inReview')
  })

  test('a list that still shows the review does not delay a stop', async ({ assert }) => {
    const { bench, fake, store, replace } = await stage(withNext({ state: 'inReview' }))
    const stop = () => store.setRollout('production/41', { action: 'halt' }, replace())
    // No user has the release yet, and the review continues.
    assert.equal((await refusal(stop())).detail.reason, 'notLive')
    assert.equal(fake.state().appStore!.versions[1].state, 'inReview')
    // Other refusals of Google are reported as they are.
    fake.refuseNext(/:commit$/, REFUSALS.fractionMissing())
    const other = await refusal(stop())
    assert.equal(other.code, 'invalid')
    assert.match(other.message, /needs a userFraction/)
    fake.lagMs = 60_000
    bench.pass(120_000)
    fake.decide('approved')
    const { after } = await stop()
    assert.equal(after.status.state, 'halted')
    assert.equal(fake.state().appStore!.versions[1].rollout, 'halted')
  })

  test('a stop works if the list cannot be read', async ({ assert }) => {
    const { fake, store, replace, find } = await stage(withNext(ROLLING))
    const stop = () => store.setRollout('production/41', { action: 'halt' }, replace())
    fake.refuseNext(/^tracks\/production\/releases$/, REFUSALS.dailyQuota())
    const { before, after } = await stop()
    assert.equal(before.rollout?.state, 'active')
    assert.equal(after.status.state, 'halted')
    assert.equal((await find('1.3.0')).rollout?.state, 'halted')
    // Without a list nothing shows whether the stop waits to be sent, so it is sent again.
    fake.refuseNext(/^tracks\/production\/releases$/, REFUSALS.dailyQuota())
    const again = await stop()
    assert.equal(again.before.status.state, 'halted')
  })

  test('a call that changes nothing ends no edit', async ({ assert }) => {
    const { bench, fake, store, fail, replace, callsOf } = await stage(withNext(ROLLING))
    fake.store.library.add(42)
    const prepare = () =>
      store.prepare(
        { ...INPUT, version: '1.4.0', buildNumber: '42', inAppUpdatePriority: 2 },
        bench.mutation()
      )
    const stop = () => store.setRollout('production/41', { action: 'halt' }, replace())
    const first = [await prepare(), (await stop()).after]
    fake.edits.insert('ci@acme.iam.gserviceaccount.com')
    const calls = await callsOf(async () => {
      const prepared = await prepare()
      const { before, after } = await stop()
      assert.deepEqual(
        [prepared.id, after.id],
        first.map(({ id }) => id)
      )
      assert.include(prepared, { updatePriority: 2 })
      assert.equal(before.status.state, 'halted')
      assert.include(after.rollout, { state: 'halted', fraction: 0.2 })
    })
    assert.lengthOf(calls, 9, calls.join(', '))
    assert.equal(fake.edits.open, 1)
    // Differing values are written.
    await store.setRollout('production/41', { fraction: 0.3 }, fail())
    assert.equal(fake.edits.open, 0)
  })

  test('a version that a new one took over is no longer listed, and cannot be grown', async ({
    assert,
  }) => {
    const { fake, store, fail, find } = await stage(withNext(ROLLING))
    fake.inConsole((own) => {
      own.library.add(42)
      const above = { ...structuredClone(own.on('production')[1]), versionCodes: [42] }
      own.releases.push({ ...above, name: '1.4.0' })
    })
    assert.isUndefined(await find('1.3.0'))
    const growth = store.setRollout('production/41', { fraction: 0.5 }, fail())
    assert.equal((await refusal(growth)).code, 'notFound')
  })
})

test.group('Google Play | bad input', () => {
  test('a key that was deleted', async ({ assert }) => {
    const { fake, store } = await stage()
    fake.revoked.add('tarmac@acme.iam.gserviceaccount.com')
    const { code, message, detail } = await refusal(store.listVersions({}))
    assert.equal(code, 'unauthorized')
    assert.match(message, /does not know the key/)
    assert.match(detail.action ?? '', /rotates the connection/)
  })

  test('a wrong clock is reported with its deviation', async ({ assert }) => {
    const { store } = await stage(sampleScenario(), Date.parse('2026-11-20T12:20:00.000Z'))
    const { code, message } = await refusal(store.listVersions({}))
    assert.equal(code, 'unauthorized')
    assert.match(message, /20 minutes ahead/)
  })

  test('an app that was removed, and one that the account never had', async ({ assert }) => {
    const { fake, store, bench } = await stage()
    fake.isRemoved = true
    const { code, detail } = await refusal(store.listVersions({}))
    assert.equal(code, 'notFound')
    assert.match(detail.action ?? '', /bundleId/)
    const { default: lifecycle } = await bench.plugin.lifecycle()
    const check = lifecycle.check(bench.context(null))
    assert.equal((await refusal(check)).detail.reason, 'noApp')
  })

  test('an API that is not enabled', async ({ assert }) => {
    const { fake, store } = await stage()
    fake.isApiDisabled = true
    const { code, detail } = await refusal(store.listVersions({}))
    assert.equal(code, 'forbidden')
    assert.match(detail.action ?? '', /enables the Google Play Android Developer API/)
  })

  test('a build that was never uploaded, and one to which nobody could upgrade', async ({
    assert,
  }) => {
    const { bench, fake, store, fail } = await stage()
    const unknown = store.prepare({ ...INPUT, buildNumber: '404' }, bench.mutation())
    assert.equal((await refusal(unknown)).detail.reason, 'buildUnknown')
    fake.store.library.add(39)
    const { id } = await store.prepare({ ...INPUT, buildNumber: '39' }, bench.mutation())
    const { code, detail } = await refusal(store.submit(id, fail()))
    assert.equal(code, 'preconditionFailed')
    assert.match(detail.action ?? '', /raises its version code/)
    assert.equal(detail.outcome, 'notApplied')
  })

  test('a version code that was used before', async ({ assert }) => {
    const { bench, fake, store } = await stage()
    fake.refuseNext(/:commit$/, REFUSALS.codeUsed(41))
    const { code, detail } = await refusal(store.prepare(INPUT, bench.mutation()))
    assert.equal(code, 'preconditionFailed')
    assert.match(detail.raw ?? '', /has already been used/)
  })

  test('an app that is older than bundles', async ({ assert }) => {
    const { bench, fake, store } = await stage()
    fake.store.apks.add(41)
    assert.equal((await store.prepare(INPUT, bench.mutation())).version, '1.3.0')
  })

  test('texts that are too long are refused before anything is sent', async ({ assert }) => {
    const { bench, fake, store, beta, callsOf } = await stage(withNext({}))
    const long = 'é'.repeat(501)
    const texts = [{ locale: 'fr-FR', whatsNew: long }]
    const calls = await callsOf(async () => {
      const given = await refusal(store.setMetadata('production/41', texts, bench.mutation()))
      assert.equal(given.code, 'invalid')
      assert.match(given.message, /501 characters.*500/)
      const notes = [{ locale: 'fr-FR', text: long }]
      assert.equal((await refusal(beta.setNotes('41', notes, bench.mutation()))).code, 'invalid')
      const reply = store.replyToReview!('R1', 'x'.repeat(351), bench.mutation())
      assert.equal((await refusal(reply)).detail.reason, 'textTooLong')
    })
    assert.deepEqual(calls, [])
    const fits = [{ locale: 'fr-FR', whatsNew: '🎉'.repeat(500) }]
    await store.setMetadata('production/41', fits, bench.mutation())
    assert.lengthOf(fake.state().appStore!.metadata, 1)
  })

  test('a state that Google adds is reported as unknown, with Google’s word', async ({
    assert,
  }) => {
    const { store, fake } = await stage(withNext({ state: 'inReview' }))
    fake.inConsole((own) => {
      own.releases.find(({ review }) => review === 'inReview')!.pinned = 'IN_APPEAL'
    })
    const { items } = await store.listVersions({ version: '1.3.0' })
    assert.include(items[0].status, { state: 'unknown', raw: 'IN_APPEAL' })
  })

  test('a draft app, a first release that is staged, and a missing declaration', async ({
    assert,
  }) => {
    const { fake, store, fail } = await stage(withNext({}))
    const submit = () => store.submit('production/41', { ...fail(), phased: true, fraction: 0.1 })
    fake.store.isDraftApp = true
    assert.match((await refusal(submit())).message, /takes drafts alone/)
    fake.store.isDraftApp = false
    fake.store.hasBeenOut.clear()
    fake.store.releases = fake.store.releases.filter(({ isOut }) => !isOut)
    assert.match((await refusal(submit())).message, /goes to all users/)
    fake.refuseNext(/:commit$/, REFUSALS.declarationMissing())
    assert.match((await refusal(submit())).detail.action ?? '', /App content/)
  })

  test('a review that is over is not cancelled, and only a person can discard an approval', async ({
    assert,
  }) => {
    const { bench, fake, store } = await stage(withNext({ state: 'inReview' }))
    fake.store.isManaged = true
    fake.decide('approved')
    const cancel = () => refusal(store.cancelReview('production/41', bench.mutation()))
    const approved = await cancel()
    assert.match(approved.message, /is approved/)
    assert.match(approved.detail.action ?? '', /discards it there/)
    fake.inConsole((own) => own.publish())
    assert.equal((await cancel()).detail.reason, 'notInReview')
  })

  test('a used-up quota is reported with the time of its reset', async ({ assert }) => {
    const { fake, store } = await stage()
    fake.setRateLimit(0)
    const limited = await refusal(store.listVersions({}))
    assert.include(['rateLimited', 'quotaExhausted'], limited.code)
    assert.equal(limited.detail.retryAfterMs, 90_000)
    const daily = await stage()
    daily.fake.refuseNext(/edits$/, REFUSALS.dailyQuota())
    assert.equal((await refusal(daily.store.listVersions({}))).code, 'quotaExhausted')
    daily.fake.refuseNext(/edits$/, REFUSALS.minuteQuota())
    assert.equal((await refusal(daily.store.listVersions({}))).code, 'rateLimited')
  })

  test('a call whose answer is lost before the commit was not applied; at the commit it may be', async ({
    assert,
  }) => {
    const { bench, fake, store, find } = await stage()
    await store.listVersions({})
    const lost = (after: number) =>
      fake.failNext(...Array.from({ length: after }, () => 'pass' as const), 'lost')
    lost(5)
    const { detail } = await refusal(store.prepare(INPUT, bench.mutation()))
    assert.equal(detail.outcome, 'unknown')
    assert.equal((await find('1.3.0')).status.state, 'preparing')
    // A call within an edit is retried automatically.
    lost(4)
    await store.prepare(OTHER, bench.mutation())
    fake.failNext(...Array.from({ length: 4 }, () => 'pass' as const), ...outage())
    const again = store.prepare({ ...INPUT, inAppUpdatePriority: 5 }, bench.mutation())
    const outaged = await refusal(again)
    assert.include([outaged.code, outaged.detail.outcome].join(), 'unavailable,notApplied')
  })

  test('a key that can only read, and one that sees no app', async ({ assert }) => {
    const { bench } = await stage()
    const { default: lifecycle } = await bench.plugin.lifecycle()
    const read = await lifecycle.check(bench.context(null, { credentials: 'readOnly' }))
    assert.match(read.account, /^reader@acme.*com\.acme\.app/)
    assert.match(read.missingPermissions[0], /Release to production/)
  })
})

const outage = () => Array.from({ length: 3 }, () => ({ status: 503 }))
