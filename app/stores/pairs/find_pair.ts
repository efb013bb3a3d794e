import { of, select } from '#foundation/core/database/statement'
import type { RowOf } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { isEnded } from '#releases/lifecycle/open_releases'
import { readReleaseById, type ReleaseRow } from '#releases/queries/read_release'
import { approvedOf } from '../decisions/possible.js'
import { standingStop } from '../decisions/standing_stop.js'
import { storesOfRelease, type StoreOfRelease } from '../queries/store_state.js'
import { releasePairs, type PairTakeoff } from '../tables.js'
import type { StoreType } from '../vocabulary.js'
import { pairStep, type PairSide, type PairStep } from './pair_step.js'

export type PairRow = RowOf<typeof releasePairs>

const SELECT_BY_RELEASE = select(
  of(releasePairs, 'p'),
  `from release_pairs p where p.organization_id = :org
    and (p.apple_release_id = :releaseId or p.google_release_id = :releaseId)`
)
const SELECT_BY_APP = select(
  of(releasePairs, 'p'),
  `from release_pairs p where p.organization_id = :org
    and (p.apple_app_id = :appId or p.google_app_id = :appId)`
)
const BY_ID = select(
  of(releasePairs, 'p'),
  'from release_pairs p where p.organization_id = :org and p.id = :id'
)

/** Returns the pair of a release; null without one. */
export async function pairOf(
  scope: Scope,
  { id: releaseId }: { id: string }
): Promise<PairRow | null> {
  return (await scope.rows(SELECT_BY_RELEASE, { releaseId }))[0] ?? null
}

export const pairsOfApp = (scope: Scope, appId: string) => scope.rows(SELECT_BY_APP, { appId })

/** Locks and returns the pair of a release; null without one. */
export async function lockPairOf(scope: Scope, release: { id: string }): Promise<PairRow | null> {
  const found = await pairOf(scope, release)
  return found && lockPair(scope, found.id)
}

/** Locks and returns a pair; null once it was parted. Locks of apps must be taken before. */
export async function lockPair(scope: Scope, id: string): Promise<PairRow | null> {
  await scope.lock('release_pairs', id)
  return pairById(scope, id)
}

/** Returns a pair without a lock; null once it was parted. */
export async function pairById(scope: Scope, id: string): Promise<PairRow | null> {
  return (await scope.rows(BY_ID, { id }))[0] ?? null
}

/**
 * Locks the pair of a release, and returns whether a takeoff of both stands. A stored takeoff no
 * longer stands if one of the releases was stopped, withdrawn, completed or skipped since.
 */
export async function lockStandingTakeoff(scope: Scope, release: { id: string }): Promise<boolean> {
  const row = await lockPairOf(scope, release)
  if (row === null || standingTakeoff(row) === null) return false
  return (await stateOfPair(scope, row)).step.kind !== 'ended'
}

/** Returns the takeoff that counts; null for none, and for one that a person ended. */
export const standingTakeoff = ({ takeoff }: PairRow): PairTakeoff | null =>
  takeoff?.endedFor === undefined ? takeoff : null

/** One of the two releases, by internal id. */
export interface Member {
  appId: string
  releaseId: string
}

export const memberOf = (row: PairRow, side: StoreType): Member =>
  side === 'apple'
    ? { appId: row.appleAppId, releaseId: row.appleReleaseId }
    : { appId: row.googleAppId, releaseId: row.googleReleaseId }

export const sideOf = (row: PairRow, { id }: { id: string }): StoreType =>
  row.appleReleaseId === id ? 'apple' : 'google'

/** Returns the apps of a pair. */
export const appsOf = ({ appleAppId, googleAppId }: PairRow) => [appleAppId, googleAppId].sort()

/** One release of a pair, with its stores and progress. */
export interface Paired {
  release: ReleaseRow
  stores: StoreOfRelease[]
  side: PairSide
}

export interface PairState {
  sides: Record<StoreType, Paired>
  step: PairStep
}

/** Reads the progress of both releases, and the next step. */
export async function stateOfPair(scope: Scope, row: PairRow): Promise<PairState> {
  const apple = await paired(scope, memberOf(row, 'apple'), row.takeoff)
  const google = await paired(scope, memberOf(row, 'google'), row.takeoff)
  const step = pairStep(row.takeoff !== null, { apple: apple.side, google: google.side })
  return { sides: { apple, google }, step }
}

async function paired(
  scope: Scope,
  { appId, releaseId }: Member,
  takeoff: PairTakeoff | null
): Promise<Paired> {
  const { release } = await readReleaseById(scope, appId, releaseId)
  const stores = await storesOfRelease(scope, release)
  return { release, stores, side: sideState(release, stores, takeoff) }
}

function sideState(
  release: ReleaseRow,
  stores: readonly StoreOfRelease[],
  takeoff: PairTakeoff | null
): PairSide {
  const isAfter = ({ target }: StoreOfRelease, decided: { generation: number } | null) =>
    decided !== null && decided.generation > (takeoff?.generations[target.integrationId] ?? 0)
  return {
    status: howFar(release, stores),
    isStopped: stores.some((each) => isAfter(each, standingStop(each.plan))),
    isWithdrawn: stores.some(({ plan, ...each }) => {
      const wanted = plan?.wanted ?? null
      return wanted?.what === 'withdrawn' && isAfter({ plan, ...each }, wanted)
    }),
  }
}

function howFar(release: ReleaseRow, stores: readonly StoreOfRelease[]): PairSide['status'] {
  if (isOut(stores)) return 'out'
  if (isEnded(release)) return 'left'
  return release.readyToRelease && approvedOf(stores).length > 0 ? 'ready' : 'open'
}

/** Returns whether all stores of a release have it with users. */
const isOut = (stores: readonly StoreOfRelease[]) =>
  stores.length > 0 && stores.every(({ facts }) => facts.takeoff.released)

/** Returns whether the decided state of a release in one of its stores is `released`. */
export const isAskedFor = (stores: readonly StoreOfRelease[]) =>
  stores.some(({ plan }) => plan?.wanted?.what === 'released')
