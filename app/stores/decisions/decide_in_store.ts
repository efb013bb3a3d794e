import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { nameIn } from '../derive/version_names.js'
import { openStore, storeIdOf } from '../queries/store_record.js'
import type { StoreTarget } from '../queries/store_targets.js'
import { ReconcileStore } from './reconcile_store.js'
import { watch } from '../observations/watch_stores.js'
import type { StoreRecord } from '../reconciler/record.js'

/**
 * Records a decision about a release in the record of its store, and queues the job that applies
 * it. The caller holds the lock of the app. The lock of the store, taken here, orders the
 * generations.
 */
export async function decideInStore(
  scope: Scope,
  release: Release,
  target: StoreTarget,
  decide: (record: StoreRecord, version: string) => unknown
): Promise<void> {
  const { appId, integrationId, track } = target
  const { id: releaseId } = release
  const store = await openStore(scope, await storeIdOf(scope, target))
  const version = nameIn(store!.record, track, release.version)
  decide(store!.record, version)
  const decided = { version, appId, releaseId, integrationId, target }
  await watch(scope, target, 'versions')
  await new ReconcileStore(scope, store!, [appId]).handle({ decided })
}
