import { storeWorld, type StoreWorld } from '#stores/tests/support'

const STEPS = ['kickoff', 'submission', 'takeoff', 'rollout'] as const

/**
 * Returns a world with release 1.4.0 that all users of Google Play have; 1.3.0 is the previous
 * version, if any.
 */
export async function withAll({ hasPredecessor = true } = {}): Promise<StoreWorld> {
  const given = await storeWorld('google', STEPS)
  const { admin, appId, store, work } = given
  if (hasPredecessor) {
    await admin.post(`/app/${appId}/release`, { version: '1.3.0' })
    await admin.put(`/app/${appId}/release/${appId}:1.3.0/kickoff`)
    store.become('live', { version: '1.3.0', buildNumbers: ['4700'] })
    await work()
  } else {
    // No version was released while this one waited for its takeoff.
    store.become('pendingRelease', { buildNumbers: ['4711'] })
    await work()
  }
  store.become('live', { buildNumbers: ['4711'] })
  store.rollout({ state: 'complete' })
  await work()
  return given
}

/** Returns the version that users of the app are offered, as the service shows it. */
export const liveVersion = async ({ admin, appId }: StoreWorld) =>
  (await admin.get(`/app/${appId}`)).body.liveVersion
