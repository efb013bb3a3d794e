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

/** The version before a rollout, from its release to users until the rollout began. */
export interface BeforeIt extends Window {
  /** The shares of users that its own rollout reached, in percent; empty if unknown. */
  reached: readonly { percentage: number; at: Instant }[]
}

const lengthOf = ({ from, to }: Window) => Date.parse(to) - Date.parse(from)

/**
 * Returns the last days of the previous version, or the time since its release if that is shorter.
 */
export function lastDays(before: BeforeIt): Window {
  const since = earlier(before.to, DAYS_COMPARED * DAY)
  return { ...windowOf(before), from: before.from > since ? before.from : since }
}

/** A day of the previous version. */
export interface DayBefore extends Window {
  /** The share of users that had it, 0 to 1. */
  share: number
}

/**
 * Returns the last whole days of the previous version, the oldest first.
 * @param most the most days
 */
export function daysBefore(before: BeforeIt, most: number): DayBefore[] {
  const count = Math.min(most, Math.floor(lengthOf(before) / DAY))
  return Array.from({ length: count }, (_, index) => {
    const from = later(before.to, (index - count) * DAY)
    const day = { ...windowOf(before), from, to: later(from, DAY) }
    return { ...day, share: shareIn(before, day) }
  })
}

/** Returns the mean share of users that had the previous version in a span of time. */
function shareIn({ reached }: BeforeIt, { from, to }: Window): number {
  if (reached.length === 0) return 1
  const [start, end] = [Date.parse(from), Date.parse(to)]
  const parts = reached.map(({ percentage, at }, index) => {
    const next = reached.at(index + 1)
    // Nothing is known about the time before the first observation.
    const since = index === 0 ? start : Math.max(start, Date.parse(at))
    const until = next ? Math.min(end, Date.parse(next.at)) : end
    return (percentage / 100) * Math.max(0, until - since)
  })
  return parts.reduce((sum, each) => sum + each, 0) / (end - start)
}

/** Spans to count users in, who count once per span however often they come. */
export interface UserSpans {
  /** Whole days since the stage began, each on its own. */
  whole: Window[]
  /** The incomplete day, and the same hours on days of the previous version; null without one. */
  begun: { own: Window; before: Window[] } | null
  /** The whole time of a previous version that users had for less than a day; null otherwise. */
  short: Window | null
}

/**
 * Returns spans of equal length of a version and the previous one. The share of distinct users who
 * crashed grows with the length of the span, so spans of different lengths cannot be compared.
 * Whole days are compared with whole days, and the incomplete day with the same hours of days
 * before the rollout. If the previous version lived for less than a day, spans have that length
 * instead of a day.
 */
export function userSpans(current: Window, before: BeforeIt): UserSpans {
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
 * Returns the same hours of the previous version's last seven days, or its last hours if it was not
 * released at any of these.
 */
function sameHours(own: Window, before: BeforeIt): Window[] {
  const length = lengthOf(own)
  // Goes back whole days, to end before the rollout began.
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
