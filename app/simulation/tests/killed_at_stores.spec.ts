import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { SEAMS } from '#foundation/jobs/tests/support/dying_worker'
import { runCommand } from '#tests/support/console'
import { openCommands } from '#releases/tests/helpers/killed_worker'
import { SimAdvance } from '../commands/sim_advance.js'
import { killAt } from './support/kill_at_store.js'
import { BUNDLE, rehearsal } from './support/simulated_release.js'
import { isLong, LONG } from '#tests/support/effort'
import { withoutLeftWork } from '#tests/support/left_work'

/*
 * A process that is killed (kill -9) anywhere between a command, its calls and their answers:
 * another one goes on, and nothing is done twice, nothing is lost, and no rollout goes further than
 * wanted.
 */

type Store = 'apple' | 'google'

/** The usual run kills only during a call, where the outcome is unknown. */
const tried = (places: readonly string[]) =>
  isLong ? places : places.filter((place) => place.startsWith('inside '))

/**
 * Places before, inside and after a change. A change in the App Store is a single call, so there is
 * no place after it.
 */
const around = (method: string, store: Store) =>
  tried([
    `before ${method}`,
    `inside ${method}`,
    ...(store === 'google' ? [`after ${method}`] : []),
  ])

const submitting = (store: Store) => [
  'beforeCall',
  ...tried(['before listVersions', 'after listVersions']),
  ...around('prepare', store),
  ...tried(['before setMetadata', 'after setMetadata']),
  ...around('submit', store),
]
/** Places at which the submission is found and recorded. */
const RECORDING = SEAMS.slice(isLong ? 1 : -1)
const RELEASING = tried(['before release', 'inside release'])

type Rehearsed = Awaited<ReturnType<typeof rehearsal>>

/** Returns the store's state of version 4.2.0, past the service. */
async function inStore({ organizationId }: Rehearsed, store: Store) {
  const row = await db.from('simulated_worlds').where('organization_id', organizationId).first()
  const world = typeof row.state === 'string' ? JSON.parse(row.state) : row.state
  if (store === 'apple') {
    const { versions } = world.appStores[BUNDLE.bundleId]
    const found = versions.filter(({ version }: { version: string }) => version === '4.2.0')
    return {
      count: found.length,
      submissions: found[0]?.submissions.length ?? 0,
      pauses: found[0]?.phasing?.pauses ?? [],
      shares: [] as number[],
    }
  }
  const { releases } = world.plays[BUNDLE.bundleId]
  const found = releases.filter(({ attempts }: { attempts: number }) => attempts > 0)
  return {
    count: found.length,
    submissions: found[0]?.attempts ?? 0,
    pauses: [],
    shares: (found[0]?.history ?? []).map(
      ({ userFraction: share, status }: { userFraction: number | null; status: string }) =>
        status === 'draft' ? 0 : (share ?? 1)
    ) as number[],
  }
}

for (const store of ['apple', 'google'] as const) {
  test.group(`A process that is killed at ${store}`, (group) => {
    group.each.timeout(400_000)
    withoutLeftWork(group)

    test('anywhere: one submission, one release, one halt, and no rollout beyond the decided share', async ({
      assert,
    }) => {
      const given = await rehearsal('happy-train', store, ['metadata'])
      const { admin, path, appId, organizationId, build, advance, step, work, events } = given
      const policy = { ladder: [5, 20, 100].map((percentage) => ({ percentage, hours: 8000 })) }
      const set = await admin.put(`/app/${appId}/rolloutPolicy`, { policy })
      assert.equal(set.status, 200)
      await db
        .from('store_plans')
        .where('app_id', appId)
        .update({
          settings: JSON.stringify({ releaseMethod: 'manual', phasedReleaseEnabled: true }),
        })
      await build()
      await advance('2h')
      const { stepRunId } = await step('metadata')
      const localizations = [{ locale: 'en-US', whatsNew: 'Faster' }]
      await admin.put(`${path}/stepRun/${stepRunId}/metadata`, { localizations })
      const kill = async (places: readonly string[]) => {
        for (const place of places) await killAt(organizationId, place)
        for (let turn = 0; turn < 3; turn++) await work()
        const open = await openCommands(organizationId)
        assert.isEmpty(open.filter((kind) => kind.startsWith('store.')))
      }
      const requested = await admin.put(`${path}/submit`, { submitWithIncompleteSteps: true })
      assert.equal(requested.status, 200)
      for (const place of submitting(store)) await killAt(organizationId, place)
      // Lists of Google Play lag behind a little.
      await runCommand(SimAdvance, ['1m', `--org=${organizationId}`])
      await kill(RECORDING)
      assert.containsSubset(await inStore(given, store), { count: 1, submissions: 1 })
      assert.lengthOf(
        (await events()).filter((type) => type === 'release.submitted'),
        1
      )
      await advance('20h')

      assert.equal((await admin.put(`${path}/takeoff`)).status, 200)
      if (store === 'apple') await kill(RELEASING)
      else await given.publish()
      await advance('1h')
      assert.isNotNull((await given.release()).releasedAt)
      assert.lengthOf(
        (await events()).filter((type) => type === 'release.released'),
        1
      )

      if (store === 'google') {
        await admin.put(`${path}/rollout`, { action: 'set', percentage: 20 })
        await kill(around('setRollout', store))
        const { shares } = await inStore(given, store)
        assert.deepEqual(
          [...new Set(shares)].filter((share) => share > 0),
          [0.05, 0.2]
        )
      }
      await admin.put(`${path}/redButton`)
      await kill(around('setRollout', store))
      const [plan] = (await given.release()).storePlans
      assert.deepEqual([plan.standing, plan.rollout.status], ['agreed', 'done'])
      const { pauses, shares } = await inStore(given, store)
      if (store === 'apple') assert.lengthOf(pauses, 1)
      else assert.equal(Math.max(...shares), 0.2)
      await advance('3d')
      assert.equal((await step('rollout')).status, 'blocked')
    }).tags(store === 'google' ? [LONG] : [])
  })
}
