import { test } from '@japa/runner'
import { highestCode } from '../fake/play_store.js'
import { faultsOf, refusal, ROLLING, stage, withNext } from './support/stage.js'

const INPUT = {
  ...{ version: '1.3.0', buildNumber: '41', phased: true, fraction: 0.05 },
  release: 'manual',
} as const

test.group('Google Play | from a draft to all users', () => {
  test('a release begins as a draft with its priority, and gets its share with the submission', async ({
    assert,
  }) => {
    const { bench, fake, store, fail, find } = await stage()
    const prepared = await store.prepare({ ...INPUT, inAppUpdatePriority: 4 }, bench.mutation())
    assert.include(prepared, { id: 'production/41', version: '1.3.0', updatePriority: 4 })
    assert.equal(prepared.status.state, 'preparing')
    const [draft] = fake.store.on('production').filter(({ status }) => status === 'draft')
    assert.include(draft, { name: '1.3.0 (41)', userFraction: null, priority: 4 })
    const how = { ...fail(), phased: true, fraction: 0.05 }
    const submitted = await store.submit(prepared.id, how)
    assert.equal(submitted.status.state, 'inReview')
    const sent = fake.store.on('production').find((each) => highestCode(each) === 41)
    assert.include(sent, { status: 'inProgress', userFraction: 0.05, priority: 4 })
    fake.decide('approved')
    const { status, rollout } = await find('1.3.0')
    assert.equal(status.state, 'rolledOutPartially')
    assert.equal(rollout?.fraction, 0.05)
    assert.deepEqual(await faultsOf(fake), [])
  })

  test('a release for all users has no share; an unspecified share begins small', async ({
    assert,
  }) => {
    for (const [given, status, userFraction] of [
      [{ phased: false }, 'completed', null],
      [{ phased: true, fraction: 1 }, 'completed', null],
      [{}, 'inProgress', 0.01],
    ] as const) {
      const { fake, store, fail } = await stage(withNext({}))
      await store.submit('production/41', { ...fail(), ...given })
      const sent = fake.store.releases.find(
        (each) => highestCode(each) === 41 && each.track === 'production'
      )
      assert.include(sent, { status, userFraction })
    }
  })

  test('a draft of another build of the version is replaced', async ({ assert }) => {
    const { bench, fake, store } = await stage(withNext({}))
    fake.store.library.add(42)
    await store.prepare({ ...INPUT, buildNumber: '42' }, bench.mutation())
    assert.deepEqual(fake.store.on('production').map(highestCode), [40, 42])
  })

  test('releases that retain a version code are distinguished', async ({ assert }) => {
    const { bench, fake, store, fail, find } = await stage(withNext(ROLLING))
    fake.inConsole((own) => {
      own.library.add(7).add(42)
      for (const each of own.on('production')) {
        each.versionCodes = [7, ...each.versionCodes]
        if (highestCode(each) === 41) each.versionCodes = [41, 7]
      }
    })
    const next = { ...INPUT, version: '1.4.0', buildNumber: '42' }
    const { id } = await store.prepare(next, bench.mutation())
    fake.inConsole((own) => {
      own.releases.find((each) => highestCode(each) === 42)!.versionCodes = [7, 42]
    })
    assert.include((await find('1.3.0')).status, { state: 'rolledOutPartially' })
    assert.include((await find('1.4.0')).status, { state: 'preparing' })
    // The codes that the draft retains stay, whether it is prepared again or replaced.
    await store.prepare({ ...next, inAppUpdatePriority: 2 }, bench.mutation())
    const codes = async () => (await find('1.4.0')).buildNumbers
    assert.deepEqual(await codes(), ['7', '42'])
    fake.store.library.add(43)
    await store.prepare({ ...next, buildNumber: '43' }, bench.mutation())
    assert.deepEqual(await codes(), ['7', '43'])
    await store.submit(id.replace('42', '43'), fail())
    assert.include((await find('1.4.0')).status, { state: 'inReview' })
    assert.include((await find('1.3.0')).status, { state: 'rolledOutPartially' })
    assert.deepEqual(await faultsOf(fake), [])
  })

  test('a change touches nothing else of the app', async ({ assert }) => {
    const { bench, fake, store } = await stage()
    fake.store.listings.set('fr-FR', { title: 'Acme', fullDescription: 'Bonjour' })
    const { id } = await store.prepare(INPUT, bench.mutation())
    await store.setMetadata(
      id,
      [
        {
          locale: 'en-US',
          whatsNew: 'Faster',
          description: 'An app',
          keywords: 'of the App Store',
        },
        { locale: 'fr-FR', title: 'Acme 2' },
        { locale: 'de-DE', title: 'Acme' },
      ],
      bench.mutation()
    )
    assert.deepEqual(await store.getMetadata(id), [
      { locale: 'fr-FR', title: 'Acme 2', description: 'Bonjour' },
      { locale: 'en-US', description: 'An app', whatsNew: 'Faster' },
      { locale: 'de-DE', title: 'Acme' },
    ])
    assert.deepEqual(await faultsOf(fake), [])
  })

  test('a rejected release is submitted again with the share that it had', async ({ assert }) => {
    const { fake, store, fail, find } = await stage(withNext({ state: 'inReview' }))
    fake.decide('rejected')
    const { id, status, rejection } = await find('1.3.0')
    assert.equal(status.state, 'rejected')
    assert.isUndefined(rejection)
    const { status: after } = await store.submit(id, fail())
    assert.equal(after.state, 'inReview')
    const sent = fake.store.releases.find((each) => each.submissions === 2)
    assert.include(sent, { status: 'inProgress', userFraction: 0.01, review: 'inReview' })
  })

  test('a release held by managed publishing is done once a person publishes it', async ({
    assert,
  }) => {
    const { fake, store, find } = await stage(withNext({ state: 'inReview' }))
    fake.store.isManaged = true
    fake.decide('approved')
    const { status, release } = await find('1.3.0')
    assert.equal(status.state, 'pendingRelease')
    assert.deepEqual(release, { method: 'manual' })
    assert.isFalse('release' in store, 'No call publishes it')
    fake.inConsole((own) => own.publish())
    assert.equal((await find('1.3.0')).status.state, 'rolledOutPartially')
  })

  test('the versions of all tracks are listed, production first', async ({ assert }) => {
    const { store } = await stage()
    const { items } = await store.listVersions({})
    const reported = items.map(({ track, version, buildNumbers }) => [track, version, buildNumbers])
    assert.deepEqual(reported, [
      ['production', '1.2.3', ['40']],
      ['internal', '1.3.0', ['41']],
    ])
  })

  test('releases of other form factors are distinguished by their tracks', async ({ assert }) => {
    const { fake, store, replace } = await stage(withNext(ROLLING))
    fake.inConsole((own) => {
      own.tracks.push('wear:production')
      own.library.add(1041)
      const [phone] = own.on('production').filter(({ status }) => status === 'inProgress')
      own.releases.push({
        ...structuredClone(phone),
        ...{ track: 'wear:production', versionCodes: [1041] },
      })
    })
    const { items } = await store.listVersions({ version: '1.3.0' })
    assert.includeMembers(
      items.map(({ id }) => id),
      ['production/41', 'wear:production/1041']
    )
    await store.setRollout('wear:production/1041', { action: 'halt' }, replace())
    assert.equal(fake.store.on('wear:production')[0].status, 'halted')
    assert.equal(fake.store.on('production')[1].status, 'inProgress')
    assert.deepEqual(await faultsOf(fake), [])
  })

  test('a list that does not show a release yet leaves its review unknown', async ({ assert }) => {
    const { bench, fake, store, fail } = await stage(withNext({ state: 'live' }))
    fake.lagMs = 60_000
    bench.pass(120_000)
    fake.store.library.add(42)
    const next = { ...INPUT, version: '1.4.0', buildNumber: '42' }
    const { id } = await store.prepare(next, bench.mutation())
    await store.submit(id, fail())
    const { items } = await store.listVersions({ version: '1.4.0' })
    assert.include(items[0].status, { state: 'unknown', raw: 'inProgress' })
    assert.isUndefined(items[0].review)
    assert.isUndefined(items[0].rollout)
  })

  test('a release that Google does not accept beside a higher one is not left out silently', async ({
    assert,
  }) => {
    const { bench, fake, store, fail } = await stage(withNext({ state: 'live' }))
    fake.store.library.add(39)
    const lower = { ...INPUT, version: '1.2.9', buildNumber: '39' }
    const { id } = await store.prepare(lower, bench.mutation())
    const refused = await refusal(store.submit(id, { ...fail(), phased: false }))
    assert.equal(refused.detail.outcome, 'notApplied')
    assert.isTrue(fake.store.releases.some(({ versionCodes }) => versionCodes.includes(39)))
  })

  test('a release that waits to be sent has replaced nothing', async ({ assert }) => {
    const { fake, find } = await stage()
    fake.inConsole((own) => {
      const [live] = own.on('production')
      own.releases.push({
        ...{ ...live, name: '1.3.0 (41)', versionCodes: [41], status: 'inProgress' },
        ...{ userFraction: 0.1, unsent: { status: 'completed', userFraction: null } },
      })
    })
    assert.equal((await find('1.2.3')).status.state, 'live')
  })

  test('each method makes the calls that the README lists', async ({ assert }) => {
    const { bench, fake, store, beta, vitals, fail, replace, callsOf } = await stage()
    const m = () => bench.mutation()
    const take = async (count: number, work: () => Promise<unknown>) => {
      const calls = await callsOf(work)
      assert.lengthOf(calls, count, calls.join(', '))
    }
    await take(5, () => store.listVersions({}))
    await take(3, () => store.listBuilds({ version: '1.3.0' }))
    await take(6, () => store.prepare(INPUT, m()))
    await take(4, () => store.getMetadata('production/41'))
    await take(6, () =>
      store.setMetadata('production/41', [{ locale: 'en-US', whatsNew: 'Now' }], m())
    )
    await take(5, () => store.submit('production/41', fail()))
    await take(5, () => store.cancelReview('production/41', m()))
    await store.submit('production/41', fail())
    fake.decide('approved')
    await take(5, () => store.setRollout('production/41', { action: 'halt' }, replace()))
    await take(1, () => store.listReviews({}))
    await take(2, () => store.replyToReview!('R1', 'Sorry', m()))
    await take(3, () => beta.listGroups())
    await take(3, () => beta.listBuilds({ version: '1.3.0' }))
    await take(4, () => beta.distribute('41', ['internal'], m()))
    const window = { version: '1.2.3', from: '2026-11-19T12:00:00Z', to: '2026-11-20T12:00:00Z' }
    await take(3, () => vitals.health(window))
    await take(2, () => vitals.listIssues(window, 'new'))
    assert.deepEqual(await faultsOf(fake), [])
  })

  test('reading leaves no edit behind', async ({ assert }) => {
    const { fake, store } = await stage()
    await store.listVersions({})
    assert.equal(fake.edits.open, 0)
  })
})

test.group('Google Play | rollouts', () => {
  test('a halted rollout resumes at any share', async ({ assert }) => {
    const { fake, store, fail, replace, find } = await stage(withNext(ROLLING))
    await store.setRollout('production/41', { action: 'pause' }, replace())
    assert.equal((await find('1.3.0')).rollout?.state, 'halted')
    const { before, after } = await store.setRollout('production/41', { fraction: 0.1 }, fail())
    assert.include(before.rollout, { state: 'halted', fraction: 0.2 })
    assert.include(after.rollout, { state: 'active', fraction: 0.1 })
    assert.equal((await find('1.3.0')).rollout?.fraction, 0.1)
    assert.deepEqual(await faultsOf(fake), [])
  })

  test('a release that all users have can be halted, and the previous version is served again', async ({
    assert,
  }) => {
    const { store, fail, replace, find } = await stage(withNext(ROLLING))
    await store.setRollout('production/41', { action: 'complete' }, fail())
    assert.isUndefined(await find('1.2.3'))
    const { before, after } = await store.setRollout('production/41', { action: 'halt' }, replace())
    assert.equal(before.status.state, 'live')
    assert.equal(after.status.state, 'halted')
    assert.equal((await find('1.2.3')).status.state, 'live')
    await store.setRollout('production/41', { action: 'resume' }, fail())
    assert.equal((await find('1.3.0')).status.state, 'live')
  })

  test('neither the first release of a track nor one on the internal track can be halted', async ({
    assert,
  }) => {
    const { fake, store, replace } = await stage()
    fake.store.hasBeenOut.clear()
    const stop = store.setRollout('production/40', { action: 'halt' }, replace())
    const { detail } = await refusal(stop)
    assert.equal(detail.outcome, 'notApplied')
    assert.match(detail.action ?? '', /releases a fix/)
    assert.equal(fake.store.on('production')[0].status, 'completed')
  })

  test('growth leaves a review alone, and a stop restarts it', async ({ assert }) => {
    const { bench, fake, store, fail, replace, find } = await stage(withNext(ROLLING))
    fake.store.library.add(42)
    const next = { ...INPUT, version: '1.4.0', buildNumber: '42' }
    const { id } = await store.prepare(next, bench.mutation())
    await store.submit(id, fail())
    const growth = store.setRollout('production/41', { fraction: 0.5 }, fail())
    const { code, detail } = await refusal(growth)
    assert.equal(code, 'conflict')
    assert.include(detail, { reason: 'reviewInProgress', outcome: 'notApplied' })
    await store.setRollout('production/41', { action: 'halt' }, replace())
    assert.equal((await find('1.3.0')).status.state, 'halted')
    const { status } = await find('1.4.0')
    assert.equal(status.state, 'inReview')
    // A repeated stop disturbs no review.
    const counted = () => fake.store.releases.map(({ submissions }) => submissions)
    const before = counted()
    await store.setRollout('production/41', { action: 'halt' }, replace())
    assert.deepEqual(counted(), before)
  })

  test('a release that no user has yet is neither grown nor stopped', async ({ assert }) => {
    const { store, fail, replace } = await stage(withNext({}))
    for (const call of [
      () => store.setRollout('production/41', { fraction: 0.5 }, fail()),
      () => store.setRollout('production/41', { action: 'halt' }, replace()),
    ]) {
      assert.equal((await refusal(call())).detail.reason, 'notLive')
    }
  })

  test('on a track with room for one rollout the new one takes over', async ({ assert }) => {
    const { bench, fake, store, fail } = await stage(withNext(ROLLING))
    fake.store.hasOneRollout = true
    fake.store.library.add(42)
    const next = { ...INPUT, version: '1.4.0', buildNumber: '42' }
    const { id } = await store.prepare(next, bench.mutation())
    await store.submit(id, { ...fail(), phased: true, fraction: 0.1 })
    fake.decide('approved')
    const reported = fake.store
      .on('production')
      .map((each) => [highestCode(each), each.userFraction])
    assert.deepEqual(reported, [
      [40, null],
      [42, 0.1],
    ])
  })

  test('a track that has no room for the release that changes says so', async ({ assert }) => {
    const { fake, store, fail, replace } = await stage(withNext(ROLLING))
    fake.store.hasOneRollout = true
    fake.inConsole((own) => {
      own.library.add(42)
      const above = { ...structuredClone(own.on('production')[1]), versionCodes: [42] }
      own.releases.push({ ...above, name: '1.4.0', status: 'halted' })
      // The lower one continues beside it.
      own.on = (track) => own.releases.filter((each) => each.track === track)
    })
    const stop = await refusal(store.setRollout('production/41', { action: 'halt' }, replace()))
    assert.equal(stop.code, 'preconditionFailed')
    assert.match(stop.detail.action ?? '', /looks at the track/)
    fake.inConsole((own) => {
      const [lower, higher] = own.on('production').slice(-2)
      Object.assign(lower, { status: 'draft', userFraction: null, isOut: false, review: 'none' })
      Object.assign(higher, { status: 'inProgress', userFraction: 0.2 })
    })
    const submission = await refusal(store.submit('production/41', fail()))
    assert.equal(submission.code, 'preconditionFailed')
    assert.deepEqual(
      fake.store.on('production').map(({ versionCodes: [code], status }) => [code, status]),
      [
        [40, 'completed'],
        [41, 'draft'],
        [42, 'inProgress'],
      ]
    )
  })

  test('a completed rollout leaves the release that is in review where it is', async ({
    assert,
  }) => {
    const { fake, store, replace, find } = await stage(withNext(ROLLING))
    fake.inConsole((own) => {
      own.library.add(42)
      const above = { ...structuredClone(own.on('production')[1]), versionCodes: [42] }
      Object.assign(above, { name: '1.4.0', isOut: false, review: 'inReview' })
      own.releases.push(above)
    })
    await store.setRollout('production/41', { action: 'complete' }, replace())
    assert.equal((await find('1.4.0')).status.state, 'inReview')
    assert.equal((await find('1.3.0')).status.state, 'live')
  })
})
