import { test } from '@japa/runner'
import { findRelease } from '#releases/queries/find_release'
import { StopUnhealthy } from '#rollouts/actions/stop_unhealthy'
import { policyOf } from '#rollouts/queries/policies'
import type { Finding } from '#rollouts/tables'
import { rolloutsOf } from '#rollouts/watch_rollouts'
import { storesOfRelease } from '#stores/queries/store_state'
import { commits, liveAtAShare, type Overlapping } from './support/overlapping.js'
import { withoutLeftWork } from '#tests/support/left_work'

/*
 * Google Play reviews and commits per app, so a change of one version affects the review of
 * another. A stop is sent at once and restarts that review; growth waits for its end.
 */

const CRASHES: Finding = {
  metric: 'crashFreeUsers',
  at: '2026-11-24T00:00:00.000Z',
  verdict: 'unhealthy',
  missing: null,
  rate: 0.993,
  baselineRate: 0.999,
  threshold: 400,
  current: { of: 80_000, bad: 560 },
  baseline: { of: 480_000, bad: 480 },
  evidence: 1000,
  greatestDrop: 0.01,
  allowedShare: 0.2,
} as unknown as Finding

/** Stops a version that the guard found unhealthy. */
const guardStops = ({ world, appId }: Overlapping) =>
  world.write(async (scope) => {
    const release = await findRelease(scope, appId, `${appId}:4.2.0`)
    const [store] = await storesOfRelease(scope, release)
    const [row] = await rolloutsOf(scope, release.id)
    const policy = (await policyOf(scope, appId, null))!
    await new StopUnhealthy(scope).handle({ release, store, row, policy, found: [CRASHES] }, true)
  })

const STOPS: [by: string, stop: (given: Overlapping) => Promise<unknown>][] = [
  ['the red button', ({ admin, path }) => admin.put(`${path}/redButton`, { reason: 'It crashes' })],
  ['a person', ({ rollout }) => rollout({ action: 'halt' })],
  ['the guard', guardStops],
]

/** Returns all texts that people read about the release, none of which may call it stopped. */
async function words(given: Overlapping, from: number): Promise<string[]> {
  const { admin, appId, timeline, run } = given
  const { body } = await admin.get(`/app/${appId}/triageIssue`)
  const issues = body.data.map(({ title }: { title: string }) => title)
  return [...(await timeline()).slice(from), ...issues, (await run()).status]
}

const SAYS_STOPPED = /(is|was|are) (now )?(stopped|halted|paused)|^(halted|paused)$/

test.group('A stop beside a review', (group) => {
  withoutLeftWork(group)

  for (const [by, stop] of STOPS) {
    test(`by ${by} is one commit, and the review begins again, with its cause`, async ({
      assert,
    }) => {
      const given = await liveAtAShare()
      const { inStore, timeline, settle, run, plan, why, refused } = given
      await given.overlap()
      const [before, reported] = [await commits(given), (await timeline()).length]
      const review = (await inStore('4.3.0')).submission
      const result = await stop(given)
      if (by !== 'the guard') assert.match(JSON.stringify(result), /reviews 4\.3\.0 from the begin/)
      assert.deepEqual(
        (await words(given, reported)).filter((each) => SAYS_STOPPED.test(each)),
        by === 'the red button' ? ['Automations are paused: It crashes for 4.2.0'] : []
      )
      const [next] = (await why()).next
      assert.match(next.message, /^The rollout is being halted/)
      await settle(5)
      const made = (await commits(given)).slice(before.length)
      assert.lengthOf(made, 1)
      assert.deepEqual(await refused(), [])
      assert.containSubset(await inStore(), { status: 'halted', userFraction: 0.2 })
      const again = await inStore('4.3.0')
      assert.equal(again.attempts, 2)
      assert.isAbove(again.submission.at, review.at)
      const restarted = await timeline('4.3.0', 'store.reviewRestarted')
      assert.lengthOf(restarted, 1)
      assert.match(restarted[0], /reviews 4\.3\.0 from the beginning: .*4\.2\.0/)
      assert.containSubset(await run(), { status: 'halted', percentage: 20 })
      assert.match((await timeline()).join('\n'), /^The rollout of 4\.2\.0 is halted at 20 %/m)
      assert.equal((await plan()).standing, 'agreed')
      // Repeated, it restarts no review.
      await stop(given)
      await settle(5)
      assert.lengthOf((await commits(given)).slice(before.length), 1)
      assert.equal((await inStore('4.3.0')).attempts, 2)
      assert.lengthOf(await timeline('4.3.0', 'store.reviewRestarted'), 1)
    })
  }

  test('that a person has to send has no effect until then, and people are told', async ({
    assert,
  }) => {
    const given = await liveAtAShare(`
name: A team that sends its changes by hand
seed: by hand
versionControl: { failingChecks: 0, changesRequested: 0 }
ci: { failing: 0 }
googlePlay: { rejected: 0, review: 1h, sentByHand: true }
moments:
  - { what: console, store: googlePlay, deed: sends, at: 3h }
  - { what: console, store: googlePlay, deed: sends, at: 40h }
`)
    const { rollout, inStore, timeline, settle, run, plan, advance } = given
    assert.containSubset(await run(), { status: 'active', percentage: 20 })
    const reported = (await timeline()).length
    await rollout({ action: 'halt' })
    await settle(5)
    assert.equal((await inStore()).status, 'inProgress')
    const said = await words(given, reported)
    assert.isEmpty(said.filter((each) => SAYS_STOPPED.test(each)))
    assert.match(said.join('\n'), /Send for review/)
    assert.containSubset(await plan(), { rollout: { action: 'halt', status: 'underWay' } })
    await advance('40h')
    await settle()
    assert.equal((await inStore()).status, 'halted')
    assert.equal((await run()).status, 'halted')
    assert.equal((await plan()).standing, 'agreed')
  })
})

test.group('Growth beside a review', (group) => {
  withoutLeftWork(group)

  const LADDER = [
    { percentage: 20, hours: 0 },
    { percentage: 50, hours: 8000 },
    { percentage: 100, hours: 0 },
  ]
  const GROWTHS: [by: string, grow: (given: Overlapping) => Promise<{ status: number }>][] = [
    ['a person', ({ rollout }) => rollout({ action: 'set', percentage: 50 })],
    [
      'a policy',
      ({ admin, appId }) =>
        admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: LADDER } }),
    ],
  ]

  for (const [by, grow] of GROWTHS) {
    test(`by ${by} waits for its end, and is then requested once`, async ({ assert }) => {
      const given = await liveAtAShare()
      const { inStore, settle, plan, why, refused, advance, timeline } = given
      await given.overlap()
      const before = await commits(given)
      assert.equal((await grow(given)).status, 200)
      await settle(30)
      assert.deepEqual(await refused(), [])
      assert.lengthOf(await commits(given), before.length)
      assert.containSubset(await plan(), {
        rollout: { action: 'set', percentage: 50, status: 'underWay' },
      })
      const [next] = (await why()).next
      assert.match(next.message, /is being set to 50 %.*reviewing other changes/)
      assert.notMatch((await timeline()).join('\n'), /is inProgress at 50 %|CHANGES_ALREADY|POST/)
      await advance('6h')
      await settle(6)
      assert.deepEqual(await refused(), [])
      assert.lengthOf(await commits(given), before.length + 1)
      assert.containSubset(await inStore(), { status: 'inProgress', userFraction: 0.5 })
      assert.equal((await plan()).rollout.status, 'done')
    })
  }
})
