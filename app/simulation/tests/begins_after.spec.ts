import { test } from '@japa/runner'
import fc from 'fast-check'
import { HOUR } from '#foundation/core/durations'
import { trigger } from '#simulated-providers/ci'
import { worldOf } from '../scenarios/scenario.js'
import { readScenario } from '../scenarios/read_scenario.js'
import { performAction } from '../world/consoles.js'
import { beginsAfter, completedWorld, newWorld, type World } from '../world/world.js'
import { BEGIN, DAY } from './support/played_world.js'
import { runs } from '#tests/support/effort'

const SHOP = 'com.acme.shop'

const CHANCY = `
name: Half of it goes wrong
ci: { failing: 40, shortest: 10m, longest: 3h }
appStore: { stuck: 20, invalid: 20, undeclared: 30, betaRejected: 50 }
googlePlay: { rejected: 50 }
`

/** Plays some days in which CI builds, and the builds are given to testers. */
function played(initial: World): World {
  const used = { appStores: { [SHOP]: initial.newAppStore }, plays: { [SHOP]: initial.newPlay } }
  return Array.from({ length: 8 }, (_, day) => BEGIN + day * DAY).reduce<World>(
    (world, now) => {
      const requested = { workflowId: 'release', branch: 'release/4.2.0' }
      const { ci } = trigger(world.ci, world.seed, now, requested)
      return (['apple', 'google'] as const).reduce(
        (before, store) => {
          const action = { store, deed: 'givesToTesters', at: now, when: null }
          return performAction(before, action, now + 12 * HOUR)
        },
        { ...world, ci } as World
      )
    },
    { ...initial, ...used }
  )
}

/** Returns the results of chance, without generated names. */
const resultsOf = ({ ci, appStores, plays }: World) => ({
  runs: ci.runs.map(({ startsAt, endsAt, ending }) => [startsAt, endsAt, ending]),
  builds: appStores[SHOP].builds.map((each) => [
    ...[each.processedAt, each.isInvalid, each.isUndeclared],
  ]),
  beta: appStores[SHOP].betaReviews.map(({ endsAt, isApproved }) => [endsAt, isApproved]),
  play: plays[SHOP].releases.map(({ submission }) => submission),
})

test.group('A world that begins where another ends', () => {
  test('has the same results for the same seed, with other runs and builds', async ({ assert }) => {
    const scenario = await readScenario(Buffer.from(CHANCY))
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(3), (seed, worlds) => {
        const first = played(worldOf(scenario, seed, BEGIN))
        let last = first
        for (let count = 0; count <= worlds; count++) {
          const next = played(beginsAfter(last, worldOf(scenario, seed, BEGIN)))
          assert.deepEqual(resultsOf(next), resultsOf(first))
          const known = new Set(last.ci.runs.map(({ id }) => id))
          assert.isTrue(next.ci.runs.every(({ id }) => !known.has(id)))
          last = next
        }
        // A world in which nothing was built passes the numbers on.
        const idle = beginsAfter(last, newWorld(seed))
        assert.equal(beginsAfter(idle, newWorld(seed)).ci.before, last.ci.runs.at(-1)!.number)
      }),
      { numRuns: runs(20) }
    )
  })

  test('a world that was stored without such a number continues', ({ assert }) => {
    const { before, ...ci } = newWorld('old').ci
    assert.equal(before, 0)
    const old = completedWorld({ seed: 'old', ci: ci as World['ci'] })
    const { run } = trigger(old.ci, 'old', BEGIN, { workflowId: 'release', branch: 'main' })
    assert.equal(run.id, '1')
  })
})
