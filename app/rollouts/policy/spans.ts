import { earlier, later, type Instant } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { DAYS_COMPARED } from '../guard/judge_metric.js'

/** A version in a span of time. */
export interface Window {
  appId: string
  version: string
  from: Instant
  to: Instant
}

/** The version that a rollout replaces, from its release to the start of the rollout. */
export interface PreviousVersion extends Window {
  /** The percentages of users that its own rollout reached; empty if unknown. */
  reached: readonly { percentage: number; at: Instant }[]
}

const lengthOf = ({ from, to }: Window) => Date.parse(to) - Date.parse(from)

/**
 * Returns the last days of the previous version, or all of its time if that is shorter.
 */
export function lastDays(before: PreviousVersion): Window {
  const since = earlier(before.to, DAYS_COMPARED * DAY)
  return { ...windowOf(before), from: before.from > since ? before.from : since }
}

/** A day of the previous version. */
export interface PreviousDay extends Window {
  /** The share of users that had it, 0 to 1. */
  share: number
}

/**
 * Returns the last whole days of the previous version, oldest first.
 * @param most maximum number of days
 */
export function daysBefore(before: PreviousVersion, most: number): PreviousDay[] {
  const count = Math.min(most, Math.floor(lengthOf(before) / DAY))
  return Array.from({ length: count }, (_, index) => {
    const from = later(before.to, (index - count) * DAY)
    const day = { ...windowOf(before), from, to: later(from, DAY) }
    return { ...day, share: shareIn(before, day) }
  })
}

/** Returns the mean share of users that had the previous version in a span of time. */
function shareIn({ reached }: PreviousVersion, { from, to }: Window): number {
  if (reached.length === 0) return 1
  const [start, end] = [Date.parse(from), Date.parse(to)]
  const weighted = reached.map(({ percentage, at }, index) => {
    const next = reached.at(index + 1)
    // Nothing is known about the time before the first observation.
    const since = index === 0 ? start : Math.max(start, Date.parse(at))
    const until = next ? Math.min(end, Date.parse(next.at)) : end
    return (percentage / 100) * Math.max(0, until - since)
  })
  return weighted.reduce((sum, each) => sum + each, 0) / (end - start)
}

/** Spans of time in which distinct users are counted. */
export interface UserSpans {
  /** Whole days since the stage began. */
  whole: Window[]
  /** The incomplete day, and the same hours of earlier days; null if no day is incomplete. */
  begun: { own: Window; before: Window[] } | null
  /** The whole time of a previous version that lasted less than a day; null otherwise. */
  short: Window | null
}

/**
 * Returns spans of equal length for a version and the previous one. The share of distinct users who
 * crashed grows with the length of the span, so only spans of equal length are comparable. Whole
 * days are compared with whole days, and the incomplete day with the same hours of days before the
 * rollout. If the previous version lasted less than a day, spans have that length instead.
 */
export function userSpans(current: Window, before: PreviousVersion): UserSpans {
  const length = Math.min(DAY, lengthOf(before))
  const count = Math.floor(lengthOf(current) / length)
  const whole = Array.from({ length: count }, (_, index) => ({
    ...current,
    from: later(current.from, index * length),
    to: later(current.from, (index + 1) * length),
  }))
  const own = { ...current, from: later(current.from, count * length) }
  return {
    whole,
    begun: lengthOf(own) === 0 ? null : { own, before: sameHours(own, before) },
    short: length < DAY ? windowOf(before) : null,
  }
}

/**
 * Returns the same hours on the last days of the previous version. Falls back to its last hours if
 * it was not yet released on any of these days.
 */
function sameHours(own: Window, before: PreviousVersion): Window[] {
  const length = lengthOf(own)
  // Steps back by whole days, to end before the rollout began.
  const back = Math.ceil(Math.max(0, Date.parse(own.to) - Date.parse(before.to)) / DAY) * DAY
  const end = earlier(own.to, back)
  const spans = Array.from({ length: DAYS_COMPARED }, (_, index) => {
    const to = earlier(end, index * DAY)
    return { ...windowOf(before), from: earlier(to, length), to }
  }).filter(({ from }) => from >= before.from)
  const last = { ...windowOf(before), from: earlier(before.to, length) }
  return spans.length > 0 ? spans : [last]
}

const windowOf = ({ appId, version, from, to }: Window): Window => ({ appId, version, from, to })
