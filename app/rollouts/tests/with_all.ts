import { storeWorld, type StoreWorld } from '#stores/tests/support'

const STEPS = ['kickoff', 'submission', 'takeoff', 'rollout'] as const

/** Release 1.4.0 that all users of Google Play have; 1.3.0 was before it. */
export async function withAll({ hasPredecessor = true } = {}): Promise<StoreWorld> {
  const given = await storeWorld('google', STEPS)
  const { admin, appId, store, work } = given
  if (hasPredecessor) {
    await admin.post(`/app/${appId}/release`, { version: '1.3.0' })
    await admin.put(`/app/${appId}/release/${appId}:1.3.0/kickoff`)
    store.become('live', { version: '1.3.0', buildNumbers: ['4700'] })
    await work()
  } else {
    // Nothing was out while it waited for its takeoff.
    store.become('pendingRelease', { buildNumbers: ['4711'] })
    await work()
  }
  store.become('live', { buildNumbers: ['4711'] })
  store.rollout({ state: 'complete' })
  await work()
  return given
}

/** The version that users of the app are offered, as the service shows it. */
export const liveVersion = async ({ admin, appId }: StoreWorld) =>
  (await admin.get(`/app/${appId}`)).body.liveVersion
