import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { rehearsal } from './support/simulated_release.js'
import { withoutLeftWork } from '#tests/support/left_work'

/*
 * A version that some users have, rolling out or stopped, until the next one replaces it in the
 * simulated stores.
 */

const SCENARIO = `
name: The next version comes early
seed: early
versionControl: { failingChecks: 0, changesRequested: 0 }
ci: { failing: 0 }
appStore: { rejected: 0, metadataRejected: 0, waiting: 1h, review: 1h, distributing: 1h }
googlePlay: { rejected: 0, review: 2h }
`
const SETTINGS = JSON.stringify({ releaseMethod: 'manual', phasedReleaseEnabled: true })

/** Submits a release, and brings it through review and release in the simulated store. */
async function bringOut(
  given: Awaited<ReturnType<typeof rehearsal>>,
  store: 'apple' | 'google',
  version: string
) {
  const { admin, appId, advance, publish, work } = given
  const path = `/app/${appId}/release/${appId}:${version}`
  if (version !== '4.2.0') {
    await admin.post(`/app/${appId}/release`, { version })
    await admin.put(`${path}/kickoff`)
  }
  await db.from('store_plans').where('app_id', appId).update({ settings: SETTINGS })
  const { body } = await admin.get(`${path}/steps`)
  const { stepRunId } = body.find(({ type }: { type: string }) => type === 'releaseCandidate')
  await admin.post(`${path}/stepRun/${stepRunId}/triggerCI`, { branch: `release/${version}` })
  await work()
  await advance('2h')
  await admin.put(`${path}/submit`, { submitWithIncompleteSteps: true })
  await work()
  await work()
  await advance('6h')
  const taken = await admin.put(`${path}/takeoff`)
  if (taken.status !== 200) throw new Error(taken.text)
  await work()
  if (store === 'google') await publish()
  await advance('2h')
}

async function standingOf({ admin, path, step, release }: Awaited<ReturnType<typeof rehearsal>>) {
  const { stepRunId, status: ofStep } = await step('rollout')
  const { body } = await admin.get(`${path}/stepRun/${stepRunId}`)
  const { status, percentage, replacedBy } = body.data.phased
  const { status: ofRelease, storePlans } = await release()
  const [{ standing }] = storePlans
  return { status, percentage, replacedBy, step: ofStep, ofRelease, standing }
}

test.group('A version that is replaced in its store', (group) => {
  withoutLeftWork(group)

  for (const [store, percentage] of [
    ['apple', 2],
    ['google', 1],
  ] as const) {
    for (const how of ['rolling out', 'stopped'] as const) {
      test(`${store}, ${how}: ends at its share, by the name of the next one`, async ({
        assert,
      }) => {
        const given = await rehearsal(SCENARIO, store)
        const { admin, path, advance, work, release } = given
        await bringOut(given, store, '4.2.0')
        await advance('1d')
        if (how === 'stopped') await admin.put(`${path}/redButton`, { reason: 'It crashes' })
        for (let turn = 0; turn < 3; turn++) await work()
        const before = await standingOf(given)
        assert.equal(before.percentage, percentage)
        assert.equal(before.step, how === 'stopped' ? 'blocked' : 'inProgress')
        await bringOut(given, store, '4.3.0')
        await advance('1h')
        assert.deepEqual(await standingOf(given), {
          ...{ status: 'replaced', percentage, replacedBy: '4.3.0', step: 'complete' },
          ...{ ofRelease: 'completed', standing: 'agreed' },
        })
        const { body } = await admin.get(`${path}/timelineEvents?limit=100`)
        const titles: string[] = body.data.map(({ title }: { title: string }) => title)
        assert.include(titles, `4.2.0 is completed: it was replaced by 4.3.0 at ${percentage} %`)
        assert.isEmpty(titles.filter((title) => /100 %|outside of Tarmac/.test(title)))
        const late = await admin.put(`${path}/redButton`, {})
        const code = how === 'stopped' ? 'release_completed' : 'rollout_not_running'
        assert.deepEqual([late.status, late.body.code], [409, code])
        assert.deepEqual(await given.refused(), [])
        assert.equal((await release()).storePlans[0].seen.state, 'replaced')
      })
    }
  }
})
