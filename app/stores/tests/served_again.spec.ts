import { test } from '@japa/runner'
import { liveVersion, withAll } from '#rollouts/tests/with_all'
import { tidy, type StoreWorld } from './support.js'

/*
 * If a version that all users have is halted, Google Play serves the version before it again. The
 * timeline shows that, but nobody releases that version a second time.
 */

/** Returns the events of versions and releases since the last call, in order. */
function sourceOf({ world }: StoreWorld) {
  let seen = 0
  return async (): Promise<string[]> => {
    const sent = (await world.events()).filter(({ sequence }) => sequence !== null)
    const fresh = sent.slice(seen)
    seen = sent.length
    return fresh.map(({ type, payload: { appStoreVersion, previousStatus, ...payload } }) => {
      const { version } = appStoreVersion ?? payload.release ?? payload.releases[0]
      return [version, type, previousStatus].filter(Boolean).join(' ')
    })
  }
}

/** Returns the members of a release that a version served again must not change. */
async function standingOf({ release }: StoreWorld, version: string) {
  const { status, phase, submittedAt, approvedAt, releasedAt, completedAt, steps } =
    await release(version)
  const statuses = steps.map(({ status: of }: { status: string }) => of)
  return { status, phase, submittedAt, approvedAt, releasedAt, completedAt, statuses }
}

/**
 * Returns the state in which Google Play shows the replaced 1.3.0, and the events when it is served
 * again.
 */
const SHOWN = {
  'that the store lists no more': {
    replaced: ({ store }: StoreWorld) => {
      const at = store.versions.findIndex(({ version }) => version === '1.3.0')
      const [gone] = store.versions.splice(at, 1)
      return () => void store.versions.push(gone)
    },
    reported: [],
  },
  'that the store calls replaced': {
    replaced: ({ store }: StoreWorld) => {
      store.become('replaced', { version: '1.3.0' })
      return () => void store.become('live', { version: '1.3.0' })
    },
    reported: ['1.3.0 appStoreVersion.statusUpdated replaced'],
  },
} as const

test.group('A version that is served again', (group) => {
  group.each.teardown(tidy)

  for (const [how, { replaced, reported: ofIt }] of Object.entries(SHOWN)) {
    test(`${how} is offered, and nothing is released or submitted again`, async ({ assert }) => {
      const given = await withAll()
      const { admin, path, work } = given
      const turns = async () => {
        for (let turn = 0; turn < 3; turn++) await work()
      }
      const serve = replaced(given)
      await turns()
      const before = [await standingOf(given, '1.3.0'), await standingOf(given, '1.4.0')]
      const reported = sourceOf(given)
      await reported()
      await admin.put(`${path}/redButton`, { reason: 'It crashes' })
      serve()
      await turns()
      assert.sameMembers(await reported(), [
        '1.4.0 appStoreVersion.statusUpdated completed',
        '1.4.0 appStoreVersion.phasedReleaseUpdated complete',
        ...ofIt,
      ])
      assert.equal(await liveVersion(given), '1.3.0')
      await admin.put(`${path}/rollout`, { action: 'set', percentage: 30 })
      await turns()
      assert.deepEqual(await reported(), [
        '1.4.0 appStoreVersion.statusUpdated halted',
        '1.4.0 appStoreVersion.phasedReleaseUpdated halted',
      ])
      assert.equal(await liveVersion(given), '1.4.0')
      const after = [await standingOf(given, '1.3.0'), await standingOf(given, '1.4.0')]
      assert.deepEqual(after, before)
    })
  }
})
