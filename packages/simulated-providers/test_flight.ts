import { buildState, unfitFor } from './app_store_builds.js'
import {
  refused,
  type AppStoreBuild,
  type BetaReview,
  type Result,
  type SimulatedAppStore,
} from './app_store_state.js'
import { chance } from './chance.js'

/*
 * TestFlight: builds for testers. Internal groups get a build at once, others after a beta review.
 */

/** Gives a build to groups; idempotent. */
export function giveToGroups(
  store: SimulatedAppStore,
  seed: string,
  now: number,
  { buildId, groupIds }: { buildId: string; groupIds: readonly string[] }
): Result {
  const build = store.builds.find(({ id }) => id === buildId)
  if (!build) return refused('buildUnknown')
  const groups = groupIds.map((each) => store.groups.find(({ id }) => id === each))
  if (groups.includes(undefined)) return refused('groupUnknown')
  const unusable = unfitFor(build, now)
  if (unusable) return refused(unusable)
  const has = (groupId: string) =>
    store.distributed.some((each) => each.buildId === buildId && each.groupId === groupId)
  const added = [...new Set(groupIds)].filter((groupId) => !has(groupId))
  const distributed = [...store.distributed, ...added.map((groupId) => ({ buildId, groupId }))]
  const isReviewed = store.betaReviews.some((each) => each.buildId === buildId)
  const needsReview = !isReviewed && groups.some((group) => !group?.internal)
  const newReviews = needsReview ? [betaReviewOf(store, seed, now, build)] : []
  return { store: { ...store, distributed, betaReviews: [...store.betaReviews, ...newReviews] } }
}

function betaReviewOf(
  { settings }: SimulatedAppStore,
  seed: string,
  now: number,
  { id: buildId, drawnAs = buildId }: AppStoreBuild
): BetaReview {
  const beginsAt = now + settings.betaWaitingMs
  const isApproved = chance(seed, 'beta verdict', drawnAs) >= settings.betaRejected
  return { buildId, beginsAt, endsAt: beginsAt + settings.betaReviewMs, isApproved }
}

type BetaState =
  | 'PROCESSING'
  | 'PROCESSING_EXCEPTION'
  | 'EXPIRED'
  | 'MISSING_EXPORT_COMPLIANCE'
  | 'READY_FOR_BETA_TESTING'
  | 'WAITING_FOR_BETA_REVIEW'
  | 'IN_BETA_REVIEW'
  | 'BETA_REJECTED'
  | 'IN_BETA_TESTING'

/** Returns the state of a build in some groups: that of the group that waits the longest. */
export function betaState(
  store: SimulatedAppStore,
  now: number,
  { buildId, groupIds }: { buildId: string; groupIds: readonly string[] }
): BetaState | null {
  const build = store.builds.find(({ id }) => id === buildId)
  if (!build) return null
  const state = buildState(build, now)
  if (state === 'PROCESSING' || state === 'EXPIRED') return state
  if (state !== 'VALID') return 'PROCESSING_EXCEPTION'
  if (build.isUndeclared) return 'MISSING_EXPORT_COMPLIANCE'
  const given = store.distributed.filter(
    (each) => each.buildId === buildId && groupIds.includes(each.groupId)
  )
  if (given.length === 0) return 'READY_FOR_BETA_TESTING'
  const areInternal = given.every(
    ({ groupId }) => store.groups.find(({ id }) => id === groupId)?.internal
  )
  if (areInternal) return 'IN_BETA_TESTING'
  const review = store.betaReviews.find((each) => each.buildId === buildId)
  if (!review || now < review.beginsAt) return 'WAITING_FOR_BETA_REVIEW'
  if (now < review.endsAt) return 'IN_BETA_REVIEW'
  return review.isApproved ? 'IN_BETA_TESTING' : 'BETA_REJECTED'
}

/** Sets the test notes; notes of other locales stay. */
export function noteForTesters(
  store: SimulatedAppStore,
  buildId: string,
  notes: readonly { locale: string; text: string }[]
): Result {
  if (!store.builds.some(({ id }) => id === buildId)) return refused('buildUnknown')
  const isReplaced = (each: { buildId: string; locale: string }) =>
    each.buildId === buildId && notes.some(({ locale }) => locale === each.locale)
  const kept = store.notes.filter((each) => !isReplaced(each))
  return { store: { ...store, notes: [...kept, ...notes.map((each) => ({ buildId, ...each }))] } }
}
