import { helpOn } from '#foundation/core/problems/catalog'
import { refuse, type Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { planningPort } from '#releases/ports'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { decideInStore } from '../decisions/decide_in_store.js'
import { standingIn } from '../decisions/possible.js'
import { standingStop } from '../decisions/standing_stop.js'
import { storeRecordOf } from '../queries/store_record.js'
import type { StoreOfRelease } from '../queries/store_state.js'
import { removeDecision } from '../reconciler/decide.js'
import { releasePairs, type PairTakeoff } from '../tables.js'
import type { StoreType } from '../vocabulary.js'
import {
  lockPairOf,
  memberOf,
  sideOf,
  stateOfPair,
  type PairRow,
  type Paired,
} from './find_pair.js'
import { OTHER } from './pair_step.js'
import { planPairCheck, reportOther } from './plan_pair_check.js'
import { isNamed, nameOfSide, otherName } from './pair_names.js'

/**
 * Returns the pair of a release if both still go out together; null if the release goes out alone.
 */
export async function sharedTakeoff(
  scope: Scope,
  release: Release
): Promise<{ row: PairRow; other: Paired } | null> {
  const row = await lockPairOf(scope, release)
  if (!row) return null
  const { sides } = await stateOfPair(scope, row)
  const other = sides[OTHER[sideOf(row, release)]]
  return other.side.status === 'out' || other.side.status === 'left' ? null : { row, other }
}

/**
 * Demands that the requester may release the other release of a pair, and that no stop of it
 * stands.
 * @throws app_scope_missing, rollout_stopped
 */
export async function requireOther(
  scope: Scope,
  release: Release,
  { row, other }: { row: PairRow; other: Paired },
  stores: readonly StoreOfRelease[]
): Promise<void> {
  if (!scope.sees(other.release.appId)) {
    throw refuse('app_scope_missing', {
      detail: `The app scopes of the key do not include the app of ${otherName(row, release)}, which goes out with it.`,
    })
  }
  if (!isAnyStopped(other.stores)) return
  const { appId, publicId } = other.release
  const name = isNamed(scope, appId) ? publicId : otherName(row, release)
  throw refuse('rollout_stopped', {
    detail: `${name}, which goes out with it, was stopped: release that one to let both continue.`,
    ...(await standingIn(scope, release, stores)),
  })
}

/**
 * Takes off both releases of a pair: their stores are called once both are ready. A takeoff that
 * stands is kept, unless a store refused it or a release was stopped since. A person replaces an
 * automation; forcing counts for both releases.
 * @param stores the stores of the release that have not released it
 * @returns whether anything changed
 * @throws store_busy while the previous takeoff is being ended
 */
export async function takeOffPair(
  scope: Scope,
  release: Release,
  { row, other }: { row: PairRow; other: Paired },
  { stores, isForced }: { stores: readonly StoreOfRelease[]; isForced: boolean }
): Promise<boolean> {
  const own = sideOf(row, release)
  const { takeoff } = row
  if (takeoff?.endedFor !== undefined) throw await takeoffEnding(scope, release, stores)
  const isRefused = (side: StoreType, storesOfSide: readonly StoreOfRelease[]) =>
    takeoff?.asked.includes(side) === true &&
    storesOfSide.some(
      ({ plan }) => plan?.wanted?.what === 'released' && plan.wanted.status === 'failed'
    )
  const stands =
    takeoff !== null &&
    !isRefused(own, stores) &&
    !isRefused(OTHER[own], other.stores) &&
    !isAnyStopped(stores)
  const replacesAutomation = takeoff?.by.type === 'automation' && scope.actor.type !== 'automation'
  const becomesForced = stands && isForced && !takeoff.isForced
  if (stands && !replacesAutomation && !becomesForced) return false
  const by = { by: scope.actor, at: scope.now, of: own }
  const decided: PairTakeoff = stands
    ? { ...takeoff, ...(replacesAutomation && by), isForced: isForced || takeoff.isForced }
    : { ...by, isForced, generations: await overrule(scope, release, stores, other), asked: [] }
  const isReported = stands && row.isReported
  await scope.update(releasePairs, { id: row.id }, { takeoff: decided, isReported })
  if (!stands || replacesAutomation) {
    const type = 'pair.takenOff'
    const titleOf = (version: string, side: StoreType) =>
      `${version} and ${nameOfSide(side)} have a joint takeoff under way: both go out once both are ready`
    recordReleaseEvent(scope, release, {
      type,
      title: titleOf(release.version, OTHER[own]),
      payload: null,
    })
    await reportOther(scope, memberOf(row, OTHER[own]), {
      type,
      title: titleOf(other.release.version, own),
      turn: replacesAutomation && takeoff.of !== own ? 'done' : null,
    })
  }
  if (replacesAutomation && takeoff.of === own) await takeTurn(scope, release)
  await planPairCheck(scope, row)
  return true
}

/** Returns the refusal of a takeoff while the previous one is being ended: store_busy. */
export const takeoffEnding = async (
  scope: Scope,
  release: Release,
  stores: readonly StoreOfRelease[]
): Promise<Problem> =>
  refuse('store_busy', {
    detail: 'The previous takeoff is being ended.',
    remedy: helpOn('store_busy'),
    ...(await standingIn(scope, release, stores)),
  })

const isAnyStopped = (stores: readonly StoreOfRelease[]) =>
  stores.some(({ plan }) => standingStop(plan) !== null)

/**
 * Takes back stops of a release that were decided before its takeoff, which overrules them.
 * @returns the generation of each store of both releases
 */
async function overrule(
  scope: Scope,
  release: Release,
  stores: readonly StoreOfRelease[],
  other: Paired
): Promise<Record<string, number>> {
  for (const { target, plan } of stores) {
    if (standingStop(plan) === null) continue
    await decideInStore(scope, release, target, (record, version) =>
      removeDecision(record, version, 'rollout')
    )
  }
  const generations: Record<string, number> = {}
  for (const { target } of [...stores, ...other.stores]) {
    generations[target.integrationId] = (await storeRecordOf(scope, target))?.generation ?? 0
  }
  return generations
}

/** Tells the automation that took off both releases that its takeoff failed. */
export const endTurn = (scope: Scope, release: Release, reason: string) =>
  planningPort.provided.ended(scope, release, { action: 'release', result: 'failed', reason })

/** Tells the automation that a person replaced it, so it has nothing left to do. */
export const takeTurn = (scope: Scope, release: Release) =>
  planningPort.provided.ended(scope, release, { action: 'release', result: 'done' })

/** @throws release_paired: a release of a pair goes out in all of its stores at once */
export function requireWhole(release: Release): never {
  throw refuse('release_paired', {
    detail: `${release.version} goes out with another release, and only as a whole.`,
    remedy: helpOn('release_paired'),
  })
}
