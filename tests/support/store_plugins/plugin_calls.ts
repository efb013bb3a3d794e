import type { AppStore, StoreVersion } from '@tarmac/plugin-kit'
import { nameOnTrack } from '#stores/derive/version_names'
import type { StoreCall } from '#stores/reconciler/record'

/** Returns a version with the name that the record of its store uses, which includes the track. */
export const named = (version: StoreVersion): StoreVersion => ({
  ...version,
  version: nameOnTrack(version.track, version.version),
})

export async function everyVersion(store: AppStore): Promise<StoreVersion[]> {
  const versions: StoreVersion[] = []
  for (let cursor: string | undefined; ;) {
    const { items, next } = await store.listVersions({}, cursor)
    versions.push(...items.map(named))
    if (next === undefined) return versions
    cursor = next
  }
}

/** Makes a call that the record of a store asks for, through a plugin. */
export async function callOf(
  store: AppStore,
  call: StoreCall,
  idempotencyKey: string
): Promise<{ before?: StoreVersion; after: StoreVersion }> {
  const key = { idempotencyKey }
  switch (call.method) {
    case 'prepare': {
      const { version, buildNumber, phased, fraction, release } = call
      const input = { version, buildNumber, phased, release }
      return { after: await store.prepare({ ...input, ...(fraction && { fraction }) }, key) }
    }
    case 'submit': {
      const { ref, onReviewInProgress, phased, fraction } = call
      const how = { onReviewInProgress, phased, ...(fraction && { fraction }) }
      return { after: await store.submit(ref, { ...key, ...how }) }
    }
    case 'cancelReview':
      return { after: await store.cancelReview(call.ref, key) }
    case 'release':
      return { after: await store.release!(call.ref, key) }
    case 'setRollout': {
      const { ref, to, onReviewInProgress } = call
      return store.setRollout(ref, to, { ...key, onReviewInProgress })
    }
  }
}
