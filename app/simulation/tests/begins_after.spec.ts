import { test } from '@japa/runner'
import fc from 'fast-check'
import { HOUR } from '#foundation/core/durations'
import { trigger } from '#simulated-providers/ci'
import { worldOf } from '../scenarios/scenario.js'
import { readScenario } from '../scenarios/read_scenario.js'
import { carriedOut } from '../world/consoles.js'
import { beginsAfter, grown, newWorld, type World } from '../world/world.js'
import { BEGIN, DAY } from './support/played_world.js'
import { runs } from '#tests/support/effort'

const SHOP = 'com.acme.shop'

const CHANCY = `
name: Half of it goes wrong
ci: { failing: 40, shortest: 10m, longest: 3h }
appStore: { stuck: 20, invalid: 20, undeclared: 30, betaRejected: 50 }
googlePlay: { rejected: 50 }
`

/** Some days in which CI builds, and what came of it is given to testers. */
function played(begun: World): World {
  const used = { appStores: { [SHOP]: begun.newAppStore }, plays: { [SHOP]: begun.newPlay } }
  return Array.from({ length: 8 }, (_, day) => BEGIN + day * DAY).reduce<World>(
    (world, now) => {
      const asked = { workflowId: 'release', branch: 'release/4.2.0' }
      const { ci } = trigger(world.ci, world.seed, now, asked)
      return (['apple', 'google'] as const).reduce(
        (before, store) => {
          const deed = { store, deed: 'givesToTesters', at: now, when: null }
          return carriedOut(before, deed, now + 12 * HOUR)
        },
        { ...world, ci } as World
      )
    },
    { ...begun, ...used }
  )
}

/** Returns the results of chance, without generated names. */
const brought = ({ ci, appStores, plays }: World) => ({
  runs: ci.runs.map(({ startsAt, endsAt, ending }) => [startsAt, endsAt, ending]),
  builds: appStores[SHOP].builds.map((each) => [
    ...[each.processedAt, each.isInvalid, each.isUndeclared],
  ]),
  beta: appStores[SHOP].betaReviews.map(({ endsAt, isApproved }) => [endsAt, isApproved]),
  play: plays[SHOP].releases.map(({ submission }) => submission),
})

test.group('A world that begins where another ends', () => {
  test('comes to the same by the same seed, with other runs and builds', async ({ assert }) => {
    const scenario = await readScenario(Buffer.from(CHANCY))
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(3), (seed, worlds) => {
        const first = played(worldOf(scenario, seed, BEGIN))
        let last = first
        for (let count = 0; count <= worlds; count++) {
          const next = played(beginsAfter(last, worldOf(scenario, seed, BEGIN)))
          assert.deepEqual(brought(next), brought(first))
          const known = new Set(last.ci.runs.map(({ id }) => id))
          assert.isTrue(next.ci.runs.every(({ id }) => !known.has(id)))
          last = next
        }
        // One in which nothing was built gives its numbers on.
        const idle = beginsAfter(last, newWorld(seed))
        assert.equal(beginsAfter(idle, newWorld(seed)).ci.before, last.ci.runs.at(-1)!.number)
      }),
      { numRuns: runs(20) }
    )
  })

  test('a world that was stored before there was one goes on', ({ assert }) => {
    const { before, ...ci } = newWorld('old').ci
    assert.equal(before, 0)
    const old = grown({ seed: 'old', ci: ci as World['ci'] })
    const { run } = trigger(old.ci, 'old', BEGIN, { workflowId: 'release', branch: 'main' })
    assert.equal(run.id, '1')
  })
})
