import fc from 'fast-check'
import { test } from '@japa/runner'
import type { StoreVersion } from '#plugin-kit/capabilities/stores'
import { RecordStoreVersion } from '../actions/record_store_version.js'
import { storeWorld, tidy } from './support.js'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString()

/** A submission, a rejection, another submission, an approval and a phased release. */
const HISTORY: StoreVersion[] = (
  [
    ['preparing', undefined],
    ['waitingForReview', undefined],
    ['inReview', undefined],
    ['rejected', undefined],
    ['waitingForReview', undefined],
    ['inReview', undefined],
    ['unknown', undefined],
    ['pendingRelease', undefined],
    ['live', { mode: 'phased', state: 'active', day: 1 }],
    ['live', { mode: 'phased', state: 'paused', day: 2 }],
    ['live', { mode: 'phased', state: 'active', day: 4 }],
  ] as const
).map(([state, rollout], minute) => ({
  id: 'V1',
  version: '1.4.0',
  status: { state, raw: state.toUpperCase(), observedAt: at(minute) },
  ...(rollout && { rollout }),
}))

/** What people see of a release, apart from when it was changed here. */
async function shownAfter(looks: readonly StoreVersion[]) {
  const { world, target, release, statuses } = await storeWorld()
  const store = await target()
  for (const look of looks) {
    await world.write((scope) => new RecordStoreVersion(scope).handle(store, look))
  }
  const { phase, status, submittedAt, approvedAt, releasedAt, appStoreVersions } = await release()
  return {
    ...{ phase, status, submittedAt, approvedAt, releasedAt, appStoreVersions },
    steps: await statuses(),
  }
}

test.group('looks at a store in any order', (group) => {
  group.each.teardown(tidy)

  test('end in the same release, however often and late they are told', async ({ assert }) => {
    const straight = await shownAfter(HISTORY)
    assert.deepEqual([straight.phase, straight.submittedAt], ['rollingOut', at(1)])
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...HISTORY, ...HISTORY], { minLength: 2 * HISTORY.length }),
        async (looks) => assert.deepEqual(await shownAfter(looks), straight)
      ),
      { numRuns: 12 }
    )
  }).timeout(60_000)
})
