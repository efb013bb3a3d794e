import { later, type Instant } from '#foundation/core/clock'
import { DAY, HOUR } from '#foundation/core/durations'

/** A source is late if its data ends so long before it is asked. Milliseconds. */
const LATE_FROM = 2 * HOUR

/** People are called if a source is later than that, because it may not go on. */
export const LATE_AT_MOST = 3 * DAY

/** No source is reckoned to be later. */
const LATEST = 365 * DAY

/** When a source was asked, and to when its data reached. */
export interface Coverage {
  at: Instant
  /** At most the end of what was asked for; absent for counts that are complete when they are read. */
  reaches?: Instant
}

/**
 * Returns the time up to which the data of a source reaches, at most the end of the query. A source
 * that states no time, or one in the future, has reported everything. Pure.
 */
export function reachOf(sampledAt: string | undefined, to: Instant): Instant {
  const behind = Date.parse(to) - Date.parse(sampledAt ?? '')
  return behind > 0 ? later(to, -Math.min(behind, LATEST)) : to
}

/** Returns the part of a span that data covers; it is empty if none does. Pure. */
export function coveredPart<Span extends { from: Instant; to: Instant }>(
  span: Span,
  reaches: Instant
): Span {
  if (reaches >= span.to) return span
  return { ...span, to: reaches > span.from ? reaches : span.from }
}

/** Returns to when the data of a late source reaches; null for one that is not late. Pure. */
export function lateUntil({ at, reaches }: Coverage): Instant | null {
  const isLate = reaches !== undefined && Date.parse(at) - Date.parse(reaches) > LATE_FROM
  return isLate ? reaches : null
}

/** Returns whether data of a late source is to come for a span that is over. Pure. */
export function isToCome(coverage: Coverage, end: Instant): boolean {
  const until = lateUntil(coverage)
  return until !== null && until < end
}
