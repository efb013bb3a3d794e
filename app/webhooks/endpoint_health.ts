import { later, type Instant } from '#foundation/core/clock'
import type { DisabledReason, EndpointStatus } from '#webhooks/vocabulary'
import { DAY, HOUR } from '#foundation/core/durations'

/** An endpoint is degraded after this many consecutive failures. */
const DEGRADED_AFTER = 10

/** An endpoint is disabled after this long without a success. */
export const DISABLED_AFTER = 5 * DAY

/** The warnings before an endpoint is disabled, as times since its first failure. */
const WARNINGS_AFTER: readonly number[] = [2 * DAY, 4 * DAY]

/** An endpoint is not disabled earlier than this after its last warning. */
const WARNING_NOTICE = 24 * HOUR

/** The time for which deliveries are held for an endpoint that cannot accept them. */
export const HELD_FOR = 30 * DAY

export interface EndpointHealth {
  status: EndpointStatus
  disabledReason: DisabledReason | null
  /** Failures since the last success. */
  failures: number
  /** The time of the first of these failures. */
  failingSince: Instant | null
  warnings: number
  warnedAt: Instant | null
}

/** The conclusion about the endpoint from an attempt. */
export interface Verdict {
  delivered: boolean
  /** Set if the receiver answered 410, or with the header `webhook-delivery: disable`. */
  disable: 'gone' | 'askedByReceiver' | null
}

/** Notices for the owner. */
export type HealthNotice = 'degraded' | 'warning' | 'disabled' | 'recovered'

export const HEALTHY: EndpointHealth = {
  status: 'active',
  disabledReason: null,
  failures: 0,
  failingSince: null,
  warnings: 0,
  warnedAt: null,
}

/**
 * Returns the health of an endpoint after an attempt, and a notice if its owner should know of the
 * change. A disabled endpoint stays disabled, as only its owner can enable it again.
 */
export function healthAfter(
  before: EndpointHealth,
  verdict: Verdict,
  now: Instant
): { health: EndpointHealth; notice: HealthNotice | null } {
  if (before.status === 'disabled') return { health: before, notice: null }
  const counted = verdict.delivered ? HEALTHY : oneMoreFailure(before, now)
  if (verdict.disable) return disabled(counted, verdict.disable)
  if (verdict.delivered) {
    return { health: counted, notice: before.status === 'degraded' ? 'recovered' : null }
  }
  if (counted.failures < DEGRADED_AFTER) return { health: counted, notice: null }
  return degraded(before, counted, now)
}

function oneMoreFailure(before: EndpointHealth, now: Instant): EndpointHealth {
  return {
    ...before,
    failures: before.failures + 1,
    failingSince: before.failingSince ?? now,
  }
}

function degraded(before: EndpointHealth, counted: EndpointHealth, now: Instant) {
  const health: EndpointHealth = { ...counted, status: 'degraded' }
  const since = health.failingSince ?? now
  const noticeGiven = health.warnedAt !== null && later(health.warnedAt, WARNING_NOTICE) <= now
  if (later(since, DISABLED_AFTER) <= now && noticeGiven) {
    return disabled(health, 'noSuccessForFiveDays')
  }
  const due = WARNINGS_AFTER.filter((wait) => later(since, wait) <= now).length
  if (due > health.warnings) {
    return { health: { ...health, warnings: due, warnedAt: now }, notice: 'warning' as const }
  }
  return { health, notice: before.status === 'active' ? ('degraded' as const) : null }
}

function disabled(health: EndpointHealth, disabledReason: DisabledReason) {
  return {
    health: { ...health, status: 'disabled' as const, disabledReason },
    notice: 'disabled' as const,
  }
}
