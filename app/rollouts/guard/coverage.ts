import { earlier, type Instant } from '#foundation/core/clock'
import { DAY, HOUR } from '#foundation/core/durations'

/** A source is late if its data ends this long before it is asked, in milliseconds. */
const LATE_FROM = 2 * HOUR

/**
 * People are called if a source is later than this, because it may have stopped, in milliseconds.
 */
export const LATE_AT_MOST = 3 * DAY

/** The greatest delay that is assumed of a source, in milliseconds. */
const LATEST = 365 * DAY

/** The time a source was asked, and up to when its data reached. */
export interface Coverage {
  at: Instant
  /** At most the end of the query; absent for counts that are always complete. */
  reaches?: Instant
}

/**
 * Returns the time up to which the data of a source reaches, at most the end of the query. A source
 * that states no time, or one in the future, has reported everything. Pure.
 */
export function reachOf(sampledAt: string | undefined, to: Instant): Instant {
  const behind = Date.parse(to) - Date.parse(sampledAt ?? '')
  return behind > 0 ? earlier(to, Math.min(behind, LATEST)) : to
}

/** Returns the part of a span that data covers; it is empty if none does. Pure. */
export function coveredPart<Span extends { from: Instant; to: Instant }>(
  span: Span,
  reaches: Instant
): Span {
  if (reaches >= span.to) return span
  return { ...span, to: reaches > span.from ? reaches : span.from }
}

/**
 * Returns the time up to which the data of a late source reaches; null for a source that is not
 * late. Pure.
 */
export function lateUntil({ at, reaches }: Coverage): Instant | null {
  const isLate = reaches !== undefined && Date.parse(at) - Date.parse(reaches) > LATE_FROM
  return isLate ? reaches : null
}

/** Returns whether a late source has yet to report a part of a span that ended. Pure. */
export function isStillDue(coverage: Coverage, end: Instant): boolean {
  const until = lateUntil(coverage)
  return until !== null && until < end
}
