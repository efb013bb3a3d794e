import type { Scope } from '#foundation/core/scope'
import { recordHoldAfterPairChange } from '#releases/lifecycle/record_hold'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { stopTakeoffs } from '../actions/stop_progress.js'
import { storesOfRelease } from '../queries/store_state.js'
import { releasePairs } from '../tables.js'
import type { StoreType } from '../vocabulary.js'
import {
  lockPair,
  lockPairOf,
  memberOf,
  pairsOfApp,
  sideOf,
  standingTakeoff,
  type PairRow,
} from './find_pair.js'
import { planPairCheck, reportOther } from './plan_pair_check.js'
import { nameOfSide, otherName, PLATFORM } from './pair_names.js'
import { OTHER } from './pair_step.js'
import { endTurn } from './take_off_pair.js'

/** Parts a pair: each release then goes out by its own takeoff. */
export class PartReleases {
  constructor(private readonly scope: Scope) {}

  /** Does nothing without a pair. */
  async handle(release: Release): Promise<void> {
    const row = await lockPairOf(this.scope, release)
    if (!row) return
    const { version } = release
    recordReleaseEvent(this.scope, release, {
      type: 'pair.parted',
      title: `${version} no longer goes out together with ${otherName(row, release)}`,
      payload: null,
    })
    await part(this.scope, row, sideOf(row, release), release)
    await recordHoldAfterPairChange(this.scope, release)
  }
}

/** Parts the pair of a release that is removed. */
export async function leavePair(scope: Scope, release: Release): Promise<void> {
  const row = await lockPairOf(scope, release)
  if (row) await part(scope, row, sideOf(row, release), release)
}

/** Parts the pairs of an app that is removed. */
export async function leavePairs(scope: Scope, appId: string): Promise<void> {
  for (const { id } of await pairsOfApp(scope, appId)) {
    const row = await lockPair(scope, id)
    if (row) await part(scope, row, row.appleAppId === appId ? 'apple' : 'google', null)
  }
}

/** @param release the release that leaves; null if it is already removed */
async function part(
  scope: Scope,
  row: PairRow,
  side: StoreType,
  release: Release | null
): Promise<void> {
  const { takeoff } = row
  const reason = takeoff?.endedFor ?? 'the pair was parted'
  // An Android release that was asked for stays, since a person may be publishing it. If the
  // takeoff was being ended anyway, both are stopped.
  const isStopped = (member: StoreType) =>
    takeoff?.asked.includes(member) === true &&
    (member === 'apple' || takeoff.endedFor !== undefined)
  await scope.table(releasePairs.name).where('id', row.id).delete()
  const isByAutomation = takeoff?.by.type === 'automation'
  await reportOther(scope, memberOf(row, OTHER[side]), {
    type: 'pair.parted',
    title: `It no longer goes out together with ${nameOfSide(side)}`,
    turn: isByAutomation && takeoff.of !== side ? 'failed' : null,
    stoppedFor: isStopped(OTHER[side]) ? reason : null,
  })
  if (release && isStopped(side)) await stopPaired(scope, release, reason)
  if (isByAutomation && takeoff.of === side && release) await endTurn(scope, release, reason)
}

/** Ends what a takeoff of a pair decided for a release in its stores. */
export async function stopPaired(scope: Scope, release: Release, reason: string): Promise<void> {
  const stores = await storesOfRelease(scope, release)
  const meant = stores.filter(({ plan }) => plan?.wanted?.isOfPair)
  const ids = meant.map(({ target }) => target.integrationId)
  await stopTakeoffs(
    scope,
    release,
    `It was meant to go out with another release, and ${reason}`,
    ids
  )
}

/** Ends the takeoff of a pair because the red button of one of the releases was pressed. */
export async function endTakeoffOfPair(scope: Scope, release: Release): Promise<void> {
  const row = await lockPairOf(scope, release)
  const standing = row && standingTakeoff(row)
  if (!standing) return
  const platform = PLATFORM[sideOf(row, release)]
  const endedFor = `the red button of the ${platform} release was pressed`
  const takeoff = { ...standing, endedFor }
  await scope.update(releasePairs, { id: row.id }, { takeoff })
  await planPairCheck(scope, row)
}
