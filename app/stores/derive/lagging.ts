import { later, type Instant } from '#foundation/core/clock'
import type { StoreVersionState } from '#plugin-kit/capabilities/stores'
import type { Wanted, WantedRollout } from '../tables.js'
import { reachedOf } from './adoption.js'
import type { SeenRollout } from './seen.js'

/** How long the lists of a store may lag behind a change that it has confirmed, in milliseconds. */
const LAG = 2 * 60 * 60_000

/** The same of a verdict: one that comes again later is the next one. */
const LAG_OF_VERDICT = 10 * 60_000

/** What a version can be before a change, and not at once after it. */
const BEFORE: Record<Wanted['what'], readonly StoreVersionState[]> = {
  submitted: ['preparing', 'processing', 'readyForReview'],
  withdrawn: ['waitingForReview', 'inReview'],
  released: ['preparing', 'waitingForReview', 'inReview', 'pendingRelease'],
}

interface Plan {
  wanted: Pick<Wanted, 'what' | 'is' | 'saw' | 'doneAt'> | null
  rollout: Pick<WantedRollout, 'to' | 'is' | 'saw' | 'overtook' | 'doneAt'> | null
}

interface Look {
  at: Instant
  state: StoreVersionState | 'unknown'
  rollout: Pick<SeenRollout, 'state' | 'percentage'> | null
}

/**
 * Whether a look shows what a store showed before it confirmed a change of ours: what it lists
 * comes later than what it answers. A rollout that stands still is never taken for that, and
 * that it goes on only where we stopped it and no call of ours can have come after. Pure.
 * @param known the newest look with a known state
 */
export function isLagging({ wanted, rollout }: Plan, known: Look | null, seen: Look): boolean {
  if (known === null || seen.state === 'unknown' || known.state === 'unknown') return false
  const { rollout: is } = seen
  if (is?.state === 'paused' || is?.state === 'halted') return false
  const isBefore =
    isRecent(wanted, seen.at) &&
    reachedOf(known.state) === wanted.what &&
    (BEFORE[wanted.what].includes(seen.state) ||
      (wanted.saw === seen.state && isRecent(wanted, seen.at, LAG_OF_VERDICT)))
  if (isBefore) return true
  if (!isRecent(rollout, seen.at) || rollout.overtook !== undefined || is === null) return false
  return isAs(rollout.saw, is) && (known.rollout === null || !isAs(rollout.saw, known.rollout))
}

/** Whether a rollout stands as it was seen when a change of it was wanted. */
export const isAs = (
  saw: WantedRollout['saw'],
  { state, percentage }: NonNullable<Look['rollout']>
) => saw !== null && saw.state === state && saw.percentage === percentage

/** Whether the store confirmed a wish, not long ago. */
export const isRecent = <Each extends { is: string; doneAt?: Instant }>(
  wish: Each | null,
  at: Instant,
  lag = LAG
): wish is Each => wish?.is === 'done' && wish.doneAt !== undefined && at < later(wish.doneAt, lag)
