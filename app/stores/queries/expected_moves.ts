import { later, type Instant } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import type { Expected } from '#releases/extensions'
import type { ReleaseRow } from '#releases/queries/read_release'
import { LADDER, type SeenVersion } from '../derive/seen.js'
import { nameOf } from '../decisions/rollout_names.js'
import type { Wanted } from '../tables.js'
import { storesOfRelease, type StoreOfRelease } from './store_state.js'

const BEING: Record<Wanted['what'], string> = {
  submitted: 'is being submitted for review',
  withdrawn: 'is being withdrawn from review',
  released: 'is being released to users',
}

/** An expected move, with the share of users that it leads to; null if it changes no share. */
export interface ExpectedMove extends Omit<Expected, 'percentage'> {
  percentage: number | null
}

/**
 * Returns the pending decisions of a release in its stores, and for each phased release the next
 * day on which it grows.
 */
export async function expectedMoves(scope: Scope, release: ReleaseRow): Promise<Expected[]> {
  const stores = await storesOfRelease(scope, release)
  return stores.flatMap((store) => {
    const [next] = daysOf(release.version, store.version?.known ?? null, scope.now)
    const moves = [...pendingOf(release.version, store, scope.now), ...(next ? [next] : [])]
    return moves.map(({ percentage, ...move }) => ({
      ...move,
      ...(percentage !== null && { percentage }),
    }))
  })
}

/**
 * Returns the pending decision for a version in one store, and all days on which its rollout grows
 * by itself.
 */
export const movesInStore = (version: string, store: StoreOfRelease, now: Instant) => [
  ...pendingOf(version, store, now),
  ...daysOf(version, store.version?.known ?? null, now),
]

/** Returns the decisions that the store does not show yet. */
function pendingOf(version: string, { plan }: StoreOfRelease, now: Instant): ExpectedMove[] {
  const { wanted = null, rollout = null } = plan ?? {}
  const pending: ExpectedMove[] = []
  const add = (what: string, message: string, reason: string | null) =>
    pending.push({
      at: now,
      what,
      percentage: null,
      message: reason === null ? `${message}.` : `${message}. ${reason}`.slice(0, 1000),
    })
  if (wanted?.status === 'underWay') {
    const { what, by, reason } = wanted
    add('storeCall', `${version} ${BEING[what]}, as ${by.name} decided`, reason)
  }
  if (rollout?.status === 'underWay') {
    const { to, by, reason, isUrgent } = rollout
    const what = isUrgent ? 'rolloutStop' : 'storeCall'
    add(what, `The rollout is being ${nameOf(to)}, as ${by.name} decided`, reason)
  }
  return pending
}

/** Returns the remaining days of a phased release; days that it was paused shift them. */
function daysOf(version: string, known: SeenVersion | null, now: Instant): ExpectedMove[] {
  const { state, day, startedAt, pausedDays } = known?.rollout ?? {}
  if (state !== 'active' || !day || !startedAt) return []
  const days = LADDER.slice(day).map((percentage, index) => ({
    at: later(startedAt, (day + index + pausedDays!) * DAY),
    what: 'rolloutStage',
    percentage,
    message: `The App Store offers ${version} to ${percentage} % of users.`,
  }))
  return days.filter(({ at }) => at > now)
}
