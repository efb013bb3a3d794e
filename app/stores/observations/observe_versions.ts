import type { Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import type { AppStore, StoreVersion, StoreVersionState } from '#plugin-kit/capabilities/stores'
import { parseVersion } from '#workflow/version'
import { withReplaced } from '../derive/replaced.js'
import { seenVersion } from '../derive/seen.js'
import { isSameName, nameIn, nameOnTrack } from '../derive/version_names.js'
import { releaseNamed, targetsOfStore } from '../queries/store_holders.js'
import { plansOf, versionsOf } from '../queries/store_state.js'
import { addRows, type OpenStore } from '../queries/store_record.js'
import type { StoreTarget } from '../queries/store_targets.js'
import { observe, type Listed, type Observations } from '../reconciler/observe.js'
import { isForUsers } from '../reconciler/states.js'
import { everyPage } from '../work/ask_store.js'

/** All states but those of versions that are over: apps have hundreds of them. */
const PRESENT: StoreVersionState[] = [
  'preparing',
  'processing',
  'readyForReview',
  'waitingForReview',
  'inReview',
  'rejected',
  'metadataRejected',
  'developerRejected',
  'invalidBinary',
  'pendingRelease',
  'rolledOutPartially',
  'halted',
  'live',
]

/** The result of reading a store once. */
export interface Poll {
  beganAt: Instant
  versions: StoreVersion[]
}

/**
 * Reads all present versions of a store, and past ones with the given names.
 * @throws the plugin's errors
 */
export async function pollVersions(
  store: AppStore,
  names: readonly string[],
  beganAt: Instant
): Promise<Poll> {
  const all = await everyPage((cursor) => store.listVersions({}, cursor))
  // The store may write `1.2` for the release `1.2.0`.
  const isNamed = (version: string) => names.some((name) => isSameName(name, version))
  const versions = all.filter(
    ({ version, status }) =>
      status.state === 'unknown' || PRESENT.includes(status.state) || isNamed(version)
  )
  return { beganAt, versions }
}

/** Adds the result of a poll to the record of a store. */
export async function observePoll(
  scope: Scope,
  store: OpenStore,
  { beganAt, versions }: Poll
): Promise<Observations> {
  const listed: Listed[] = []
  for (const each of versions) {
    const version = await nameOf(scope, store, each)
    listed.push({ version, seen: seenVersion(each, beganAt) })
  }
  return observe(store.record, withReplaced(store.record, listed), beganAt, scope.now)
}

/**
 * Returns the name of a listed version in the record. If the version was over, loads the rows of
 * its releases again.
 */
async function nameOf(
  scope: Scope,
  store: OpenStore,
  { version, track }: StoreVersion
): Promise<string> {
  if (!isForUsers({ track }) || !parseVersion(version)) return nameOnTrack(track, version)
  const targets = await targetsOnTrack(scope, store, track)
  const name = nameIn(store.record, targets[0]?.track ?? track, version)
  if (store.record.versions.some((each) => each.version === name)) return name
  for (const target of targets) {
    const release = await releaseNamed(scope, target.appId, version)
    if (release) await loadRows(scope, store, target, { ...release, version: name })
  }
  return name
}

/**
 * Returns the apps' targets on a track. The production track falls back to any target if no app has
 * one on it.
 */
async function targetsOnTrack(
  scope: Scope,
  store: OpenStore,
  track: string | undefined
): Promise<StoreTarget[]> {
  const targets = await targetsOfStore(scope, store)
  const isProduction = nameOnTrack(track, '') === ''
  const own = targets.filter((each) => nameOnTrack(each.track, '') === nameOnTrack(track, ''))
  return own.length > 0 || !isProduction ? own : targets
}

/** Loads the rows of a version that was over and is listed again. */
async function loadRows(
  scope: Scope,
  store: OpenStore,
  { integrationId }: StoreTarget,
  { releaseId, version }: { releaseId: string; version: string }
): Promise<void> {
  const isOfTarget = (row: { integrationId: string }) => row.integrationId === integrationId
  const versions = (await versionsOf(scope, [releaseId])).filter(isOfTarget)
  const plans = (await plansOf(scope, [releaseId])).filter(isOfTarget)
  addRows(
    store,
    versions.map((row) => ({ ...row, version })),
    plans.map((row) => ({ ...row, version }))
  )
}
