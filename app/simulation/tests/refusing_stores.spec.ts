import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { randomOf } from '#rollouts/tests/draws'
import { RefusingStores } from './support/refusing_store.js'
import { rehearsal } from './support/simulated_release.js'
import { withoutLeftWork } from '#tests/support/left_work'

/*
 * Random releases through submission, review, release and rollout, while the stores answer 409 and
 * 5xx by chance (before and after they applied the call). A person repeats only what failed. Each
 * release reaches its goal, and no rule of the store refuses a call twice for one request.
 */

/** Number of releases per store. */
const RELEASES = Number(process.env.REFUSED_RELEASES ?? 3)

/** Maximum number of times that a person looks. */
const MAX_LOOKS = 80

type Rehearsed = Awaited<ReturnType<typeof rehearsal>>
type Goal = 'completed' | 'halted'

/**
 * Returns the next request of a person; null while the release moves by itself, or is at its goal.
 */
async function nextAsk(
  { release, path }: Rehearsed,
  goal: Goal,
  random: () => number
): Promise<[path: string, body: object] | null> {
  const { phase, storePlans } = await release()
  const [{ wanted, rollout, standing, seen }] = storePlans
  if (standing === 'underWay') return null
  const isStopped = ['paused', 'halted'].includes(seen?.rollout?.state)
  const submit = [`${path}/submit`, { submitWithIncompleteSteps: true }] as const
  switch (phase) {
    case 'inReview':
    case 'submitted':
      return seen.state === 'pendingRelease' ? [`${path}/takeoff`, {}] : null
    case 'readyToRelease':
      return [`${path}/takeoff`, {}]
    case 'rollingOut': {
      if (rollout?.status === 'failed') {
        return [`${path}/rollout`, { action: rollout.action, percentage: rollout.percentage }]
      }
      if (isStopped) return goal === 'halted' ? null : [`${path}/rollout`, { action: 'resume' }]
      const chance = random()
      if (chance < 0.25) return [`${path}/redButton`, {}]
      if (chance < 0.5) return [`${path}/rollout`, { action: 'pause' }]
      if (goal === 'halted') return null
      const { percentage } = seen.rollout
      const isSet = seen.raw === 'inProgress' && percentage < 50 && chance < 0.8
      const further = { action: 'set', percentage: percentage + 20 }
      return [`${path}/rollout`, isSet ? further : { action: 'complete' }]
    }
    case 'released':
      return null
    default:
      return wanted?.what === 'submitted' && wanted.status === 'done' && phase !== 'rejected'
        ? null
        : [...submit]
  }
}

/** Returns whether the release waits for a person to publish it. */
async function isHeld({ release }: Rehearsed): Promise<boolean> {
  const [{ wanted }] = (await release()).storePlans
  return wanted?.status === 'underWay' && /press Publish changes/.test(wanted.reason ?? '')
}

async function isAtGoal({ release }: Rehearsed, goal: Goal): Promise<boolean> {
  const { status, storePlans } = await release()
  const [{ standing, seen }] = storePlans
  if (goal === 'completed') return status === 'completed'
  return standing === 'agreed' && ['paused', 'halted'].includes(seen?.rollout?.state)
}

for (const store of ['apple', 'google'] as const) {
  test.group(`A store that answers 409 and 5xx by chance, ${store}`, (group) => {
    group.each.timeout(600_000)
    withoutLeftWork(group)

    test('refuses no call twice, and each release reaches its goal', async ({
      assert,
      cleanup,
    }) => {
      const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000_000)
      const random = randomOf(seed)
      const stores = new RefusingStores(random)
      cleanup(() => stores.end())
      for (let index = 0; index < RELEASES; index++) {
        const about = `TEST_SEED=${seed}, release ${index}`
        const scenario = random() < 0.5 ? 'happy-train' : 'rejected'
        const goal: Goal = random() < 0.5 ? 'completed' : 'halted'
        stores.isOn = false
        const given = await rehearsal(store === 'apple' ? scenario : 'happy-train', store)
        await db
          .from('store_plans')
          .where('app_id', given.appId)
          .update({
            settings: JSON.stringify({ releaseMethod: 'manual', phasedReleaseEnabled: true }),
          })
        await given.build()
        await given.advance('2h')
        stores.isOn = true
        stores.refused.length = 0
        const did: string[] = []
        const refused: string[] = []
        for (let look = 0; look < MAX_LOOKS; look++) {
          if (await isAtGoal(given, goal)) break
          const ask = await nextAsk(given, goal, random)
          if (await isHeld(given)) await given.publish()
          if (ask) {
            const { status } = await given.admin.put(...ask)
            did.push(`${ask[0].split('/').at(-1)} ${JSON.stringify(ask[1])} ${status}`)
          }
          await given.advance(random() < 0.3 ? '3h' : '20m')
          refused.push(...stores.refused.splice(0).map((each) => `${each}, request ${did.length}`))
        }
        assert.isTrue(await isAtGoal(given, goal), `${about}: ${did.join('\n')}`)
        const twice = refused.filter((each, at, all) => all.indexOf(each) !== at)
        assert.deepEqual(twice, [], `${about}: ${did.join('\n')}`)
      }
      const made = Object.values(stores.troubles).reduce((all, each) => all + each)
      assert.isAbove(made, 0, `TEST_SEED=${seed}`)
    })
  })
}
