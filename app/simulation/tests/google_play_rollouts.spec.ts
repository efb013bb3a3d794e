import { test } from '@japa/runner'
import type { StoreVersion } from '#plugin-kit/capabilities/stores'
import { lifecycleOf } from '#simulated-providers/play_releases'
import { codeOf, playBench } from './support/play_bench.js'
import { HOUR, release, staged } from '#simulated-providers/tests/support/play_deeds'

const LAG_MS = 30_000
/** Returns a version in one line. */
const reported = ({ status, rollout, waitsForSending }: StoreVersion) =>
  `${status.state} ${rollout?.state} ${rollout?.fraction}${waitsForSending ? ' waits' : ''}`
const both = ({ before, after }: { before: StoreVersion; after: StoreVersion }) => [
  reported(before),
  reported(after),
]
const PAUSE = { action: 'pause' } as const
const ID = 'production-1'

test.group('Rollouts in Google Play', () => {
  test('growth during a review of any track is refused; a stop is one commit that restarts the review', async ({
    assert,
  }) => {
    for (const track of ['production', 'beta']) {
      const of = await playBench()
      of.out(staged(1, 0.2))
      of.inReview(track === 'beta' ? [release(2)] : [staged(1, 0.2), staged(2, 0.05)], track)
      of.bench.pass(HOUR / 2)
      const { store, fake, bench } = of
      assert.equal(
        await codeOf(store.setRollout(ID, { fraction: 0.5 }, of.fail())),
        'conflict reviewInProgress'
      )
      const response = fake.requests().findLast(({ method }) => method === 'POST')!.response!
      assert.equal(response.status, 400)
      const requested = fake.requests().length
      assert.deepEqual(both(await store.setRollout(ID, PAUSE, of.replace())), [
        'rolledOutPartially active 0.2',
        'halted halted 0.2',
      ])
      const commits = fake
        .requests()
        .slice(requested)
        .filter(({ url }) => /commit/.test(url))
      assert.lengthOf(commits, 1)
      const again = fake.play.releases.find(({ id }) => id === `${track}-2`)!
      assert.equal(lifecycleOf(again, bench.nowMs), 'IN_REVIEW')
      assert.equal(again.submission?.at, bench.nowMs, 'It begins anew')
      assert.equal(again.attempts, 2)
    }
  })

  test('a stop that is repeated restarts no review', async ({ assert }) => {
    const of = await playBench()
    of.out(staged(1, 0.2))
    of.inReview([staged(1, 0.2), staged(2, 0.05)])
    await of.store.setRollout(ID, PAUSE, of.replace())
    const { submission } = of.fake.play.releases.find(({ id }) => id === 'production-2')!
    for (const wait of [1000, HOUR]) {
      of.bench.pass(wait)
      assert.deepEqual(both(await of.store.setRollout(ID, PAUSE, of.replace())), [
        'halted halted 0.2',
        'halted halted 0.2',
      ])
    }
    const after = of.fake.play.releases.find(({ id }) => id === 'production-2')!
    assert.deepEqual(after.submission, submission)
  })

  test('a pause, and a resume while lists still show the rollout active, both take effect', async ({
    assert,
  }) => {
    const of = await playBench()
    of.out(staged(1, 0.2))
    await of.store.setRollout(ID, PAUSE, of.replace())
    assert.equal(reported((await of.listed('1.1.0'))!), 'rolledOutPartially active 0.2')
    const resumed = await of.store.setRollout(ID, { action: 'resume' }, of.fail())
    assert.deepEqual(both(resumed), ['halted halted 0.2', 'rolledOutPartially active 0.2'])
    assert.equal(resumed.after.status.lagSeconds, 0)
    of.bench.pass(LAG_MS)
    const listed = (await of.listed('1.1.0'))!
    assert.equal(reported(listed), 'rolledOutPartially active 0.2')
    assert.equal(listed.status.lagSeconds, 30)
  })

  test('a stop applies to a release that lists do not show as published yet; growth waits for them', async ({
    assert,
  }) => {
    const of = await playBench()
    of.inReview([staged(1, 0.2)])
    of.bench.pass(of.fake.play.settings.reviewMs + 1000)
    assert.equal((await of.listed('1.1.0'))?.status.state, 'inReview')
    const grow = () => codeOf(of.store.setRollout(ID, { fraction: 0.5 }, of.fail()))
    assert.equal(await grow(), 'preconditionFailed notLive')
    const { after } = await of.store.setRollout(ID, PAUSE, of.replace())
    assert.equal(reported(after), 'halted halted 0.2')
    const draft = await of.store.prepare(
      { version: '1.2.0', buildNumber: '2', phased: true, release: 'manual' },
      of.fail()
    )
    const stop = (id: string) => codeOf(of.store.setRollout(id, PAUSE, of.replace()))
    assert.equal(await stop(draft.id), 'preconditionFailed notLive')
    of.inReview([release(1, { status: 'halted', userFraction: 0.2 }), staged(2, 0.1)])
    assert.equal(await stop('production-2'), 'preconditionFailed notLive')
    assert.equal(await stop('production-9'), 'notFound releaseUnknown')
  })

  test('a full release is halted, resumed at a share, and completed again', async ({ assert }) => {
    const of = await playBench()
    of.out(release(1))
    of.out(release(2))
    assert.equal((await of.listed('1.1.0'))?.status.state, 'replaced')
    const roll = (to: Parameters<typeof of.store.setRollout>[1]) =>
      of.store.setRollout('production-2', to, of.fail())
    assert.equal(await codeOf(roll({ fraction: 0.5 })), 'preconditionFailed fullyReleased')
    assert.deepEqual(both(await roll({ action: 'halt' })), ['live complete 1', 'halted halted 1'])
    of.bench.pass(LAG_MS)
    assert.equal((await of.listed('1.1.0'))?.status.state, 'live', 'It is served again')
    assert.deepEqual(both(await roll({ fraction: 0.3 })), [
      'halted halted 1',
      'rolledOutPartially active 0.3',
    ])
    assert.equal(reported((await roll({ action: 'complete' })).after), 'live complete 1')
  })

  test('the first full release of a track cannot be halted, and the error says so', async ({
    assert,
  }) => {
    const of = await playBench({}, { hasBeenOut: [] })
    of.out(release(1))
    assert.equal(
      await codeOf(of.store.setRollout(ID, PAUSE, of.replace())),
      'preconditionFailed firstNotHalted'
    )
  })

  test('a replaced version is listed as such, with the share that it had', async ({ assert }) => {
    const of = await playBench()
    of.out(staged(1, 0.05))
    await of.store.setRollout(ID, PAUSE, of.replace())
    of.out(release(1, { status: 'halted', userFraction: 0.05 }), staged(2, 0.1))
    assert.equal(reported((await of.listed('1.1.0'))!), 'replaced halted 0.05')
    of.out(release(3))
    assert.equal(reported((await of.listed('1.2.0'))!), 'replaced inactive 0.1')
    assert.equal(reported((await of.listed('1.3.0'))!), 'live complete 1')
    assert.equal(
      await codeOf(of.store.setRollout(ID, { action: 'resume' }, of.fail())),
      'preconditionFailed replaced'
    )
  })

  test('releases of all tracks are listed, those on production first, with the lag of lists', async ({
    assert,
  }) => {
    const of = await playBench()
    of.out(release(1))
    of.inReview([release(2)], 'beta')
    of.bench.pass(2 * HOUR)
    const { items } = await of.store.listVersions({})
    assert.deepEqual(
      items.map(({ track, version, status }) => `${track} ${version} ${status.state}`),
      ['production 1.1.0 live', 'beta 1.2.0 live']
    )
    for (const { status, review } of items) {
      assert.equal(status.lagSeconds, 30)
      assert.equal(review?.lagSeconds, 30)
      assert.isAtMost(Date.parse(status.beganAt), Date.parse(status.observedAt))
    }
  })
})

test.group('Google Play whose changes a person sends', () => {
  test('a submission, growth and a stop wait for that person, and report it', async ({
    assert,
  }) => {
    const of = await playBench({ isSentByHand: true })
    const input = { version: '1.1.0', buildNumber: '1', phased: true, fraction: 0.2 } as const
    const { id } = await of.store.prepare({ ...input, release: 'auto' }, of.fail())
    assert.equal(
      reported(await of.store.submit(id, of.fail())),
      'readyForReview inactive undefined waits'
    )
    of.bench.pass(HOUR)
    assert.equal(reported((await of.listed('1.1.0'))!), 'readyForReview inactive undefined waits')
    of.send()
    of.bench.pass(6 * HOUR)
    assert.equal(reported((await of.listed('1.1.0'))!), 'rolledOutPartially active 0.2')
    const waiting = ['rolledOutPartially active 0.2', 'rolledOutPartially active 0.2 waits']
    assert.deepEqual(both(await of.store.setRollout(id, PAUSE, of.replace())), waiting)
    of.bench.pass(HOUR)
    assert.deepEqual(both(await of.store.setRollout(id, PAUSE, of.replace())), [
      waiting[1],
      waiting[1],
    ])
    of.send()
    of.bench.pass(LAG_MS)
    assert.equal(reported((await of.listed('1.1.0'))!), 'halted halted 0.2')
  })

  test('a stop during a review leaves both to that person', async ({ assert }) => {
    const of = await playBench()
    of.out(staged(1, 0.2))
    of.inReview([staged(1, 0.2), staged(2, 0.05)])
    of.set({ isSentByHand: true })
    const { after } = await of.store.setRollout(ID, PAUSE, of.replace())
    assert.equal(reported(after), 'rolledOutPartially active 0.2 waits')
    of.bench.pass(LAG_MS)
    assert.equal((await of.listed('1.2.0'))?.waitsForSending, true)
    of.send()
    of.bench.pass(LAG_MS)
    assert.equal(reported((await of.listed('1.1.0'))!), 'halted halted 0.2')
    assert.equal((await of.listed('1.2.0'))?.status.state, 'inReview')
  })

  test('changes that wait for that person are not sent by others once sending is automatic', async ({
    assert,
  }) => {
    const of = await playBench({ isSentByHand: true })
    of.out(staged(1, 0.2))
    const input = { version: '1.2.0', buildNumber: '2', phased: true, fraction: 0.07 } as const
    const { id } = await of.store.prepare({ ...input, release: 'auto' }, of.fail())
    await of.store.submit(id, of.fail())
    of.bench.pass(LAG_MS)
    await of.store.setRollout(ID, { fraction: 0.3 }, of.fail())
    of.bench.pass(LAG_MS)
    assert.equal((await of.listed('1.2.0'))?.waitsForSending, true, 'Growth leaves it alone')
    of.set({ isSentByHand: false })
    const { after } = await of.store.setRollout(ID, { fraction: 0.5 }, of.fail())
    assert.equal(reported(after), 'rolledOutPartially active 0.5')
    of.bench.pass(LAG_MS)
    assert.equal((await of.listed('1.2.0'))?.status.state, 'preparing')
    await of.store.submit(id, of.fail())
    of.bench.pass(6 * HOUR)
    assert.equal(reported((await of.listed('1.2.0'))!), 'rolledOutPartially active 0.07')
  })
})

test.group('A review in Google Play', () => {
  test('is cancelled by a draft, and other releases in review are sent again', async ({
    assert,
  }) => {
    const of = await playBench()
    of.inReview([release(2)], 'beta')
    const { fake, bench } = of
    const reviewed = of.fake.play.releases[0]
    assert.equal(lifecycleOf(reviewed, bench.nowMs), 'IN_REVIEW')
    const input = { version: '1.1.0', buildNumber: '1', phased: true, fraction: 0.3 } as const
    const prepare = () => of.store.prepare({ ...input, release: 'auto' }, of.fail())
    assert.equal(await codeOf(prepare()), 'conflict reviewInProgress')
    bench.pass(2 * HOUR)
    const { id } = await prepare()
    of.inReview([release(3)], 'beta')
    await of.store.submit(id, of.replace())
    bench.pass(1000)
    const withdrawn = await of.store.cancelReview(id, of.fail())
    assert.equal(withdrawn.status.state, 'preparing')
    const other = fake.play.releases.find((each) => each.id === 'beta-3')!
    assert.equal(lifecycleOf(other, bench.nowMs), 'IN_REVIEW')
    assert.equal(other.submission?.at, bench.nowMs)
    assert.equal(await codeOf(of.store.cancelReview(id, of.fail())), 'conflict notInReview')
    await of.store.submit(id, of.replace())
    bench.pass(6 * HOUR)
    assert.equal(reported((await of.listed('1.1.0'))!), 'rolledOutPartially active 0.3')
  })

  test('that rejected a version blocks no other, and no other change sends it again', async ({
    assert,
  }) => {
    const of = await playBench({ verdicts: ['rejected'] })
    of.inReview([staged(1, 0.1)])
    of.bench.pass(6 * HOUR)
    const input = { version: '1.2.0', buildNumber: '2', phased: false, release: 'auto' } as const
    const { id } = await of.store.prepare(input, of.fail())
    await of.store.submit(id, of.fail())
    of.bench.pass(6 * HOUR)
    assert.equal((await of.listed('1.1.0'))?.status.state, 'rejected')
    assert.equal((await of.listed('1.2.0'))?.status.state, 'rejected')
    await of.store.submit(id, of.fail())
    of.bench.pass(6 * HOUR)
    assert.equal((await of.listed('1.1.0'))?.status.state, 'rejected')
    assert.equal((await of.listed('1.2.0'))?.status.state, 'live')
  })
})
