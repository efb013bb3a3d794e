import { helpOn } from '#foundation/core/problems/catalog'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { decideInStore } from '../decisions/decide_in_store.js'
import { standingIn } from '../decisions/possible.js'
import { standingStop } from '../decisions/standing_stop.js'
import { storeRecordOf } from '../queries/store_record.js'
import type { StoreOfRelease } from '../queries/store_state.js'
import { takeBack } from '../reconciler/decide.js'
import { releasePairs, type PairTakeoff } from '../tables.js'
import type { StoreType } from '../vocabulary.js'
import {
  lockPair,
  memberOf,
  pairOf,
  sideOf,
  stateOfPair,
  type PairRow,
  type Paired,
} from './find_pair.js'
import { OTHER } from './pair_step.js'
import { lookAtPair, tellOther } from './look_at_pair.js'
import { nameOfSide, otherName } from './pair_names.js'

/** The pair of a release whose takeoff is one with that of the other; null where it is its own. */
export async function sharedTakeoff(
  scope: Scope,
  release: Release
): Promise<{ row: PairRow; other: Paired } | null> {
  const found = await pairOf(scope, release)
  const row = found && (await lockPair(scope, found.id))
  if (!row) return null
  const { sides } = await stateOfPair(scope, row)
  const other = sides[OTHER[sideOf(row, release)]]
  return other.side.is === 'out' || other.side.is === 'left' ? null : { row, other }
}

/**
 * Takes both releases of a pair off: their stores are asked once both are ready. One that was taken
 * off already stays so, unless a store refused it.
 * @param stores of the release that are not released, each approved
 * @returns whether that is new
 * @throws app_scope_missing where the asker may not release the other one; release_paired for a
 *   part of the release; rollout_stopped while the other one is stopped
 */
export async function takeOffPair(
  scope: Scope,
  release: Release,
  { row, other }: { row: PairRow; other: Paired },
  { stores, isForced }: { stores: readonly StoreOfRelease[]; isForced: boolean }
): Promise<boolean> {
  if (!scope.sees(other.release.appId)) {
    throw refuse('app_scope_missing', {
      detail: `The app scopes of the key do not hold the app of ${otherName(row, release)}, which goes out with it.`,
    })
  }
  if (other.stores.some(({ plan }) => standingStop(plan) !== null)) {
    throw refuse('rollout_stopped', {
      detail: `${other.release.publicId}, which goes out with it, was stopped: whoever releases that one lets both go on.`,
      ...(await standingIn(scope, release, stores)),
    })
  }
  const own = sideOf(row, release)
  const { takeoff } = row
  if (takeoff?.endedFor !== undefined) {
    throw refuse('store_busy', {
      detail: 'The takeoff before is being ended.',
      remedy: helpOn('store_busy'),
      ...(await standingIn(scope, release, stores)),
    })
  }
  const isRefused = (side: StoreType, its: readonly StoreOfRelease[]) =>
    takeoff?.asked.includes(side) === true && its.some(({ plan }) => plan?.wanted?.is === 'failed')
  if (takeoff && !isRefused(own, stores) && !isRefused(OTHER[own], other.stores)) return false
  for (const { target, plan } of stores) {
    // Whoever takes it off overrules a stop from before: the next one is another decision.
    if (standingStop(plan) === null) continue
    await decideInStore(scope, release, target, (record, version) =>
      takeBack(record, version, 'rollout')
    )
  }
  const generations: Record<string, number> = {}
  for (const { target } of [...stores, ...other.stores]) {
    generations[target.integrationId] = (await storeRecordOf(scope, target))?.generation ?? 0
  }
  const decided: PairTakeoff = {
    ...{ by: scope.actor, at: scope.now, of: own, isForced, generations },
    asked: [],
  }
  await scope.update(releasePairs, { id: row.id }, { takeoff: decided, isTold: false })
  const type = 'pair.takenOff'
  const titleOf = (version: string, side: StoreType) =>
    `${version} and ${nameOfSide(side)} are taken off: both go out once both are ready`
  const title = titleOf(release.version, OTHER[own])
  recordReleaseEvent(scope, release, { type, title, payload: null })
  const told = { type, title: titleOf(other.release.version, own) } as const
  await tellOther(scope, memberOf(row, OTHER[own]), told)
  await lookAtPair(scope, row)
  return true
}

/** @throws release_paired: what goes out with another release goes out as a whole */
export function demandWhole(release: Release): never {
  throw refuse('release_paired', {
    detail: `${release.version} goes out with another release, as a whole.`,
    remedy: helpOn('release_paired'),
  })
}
