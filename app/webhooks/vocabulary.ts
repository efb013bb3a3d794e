/** A `degraded` endpoint is probed, a `disabled` one receives no deliveries. */
export const ENDPOINT_STATUSES = ['active', 'degraded', 'disabled'] as const
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number]

/**
 * Why an endpoint receives no deliveries. `gone`: it answered 410. `askedByReceiver`: it answered
 * with the header `webhook-delivery: disable`.
 */
export const DISABLED_REASONS = [
  'byUser',
  'gone',
  'askedByReceiver',
  'noSuccessForFiveDays',
  'secretUnreadable',
] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/**
 * A `pending` delivery waits for its next attempt. A `held` one waits for a recovery, because its
 * endpoint is disabled. A `failed` one has used up its schedule, an `expired` one was held for 30
 * days.
 */
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'held', 'expired'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Why an attempt is made. */
export const ATTEMPT_KINDS = ['first', 'retry', 'probe', 'manual'] as const
export type AttemptKind = (typeof ATTEMPT_KINDS)[number]

/** A recovery is `canceled` if its endpoint was disabled in the meantime. */
export const RECOVERY_STATUSES = ['running', 'completed', 'canceled'] as const
export type RecoveryStatus = (typeof RECOVERY_STATUSES)[number]

/** Headers of every attempt, in addition to its signature and the endpoint's custom headers. */
export const SENT_HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Tarmac-Webhooks',
} as const
