/** `degraded` is probed, `disabled` takes no deliveries. */
export const ENDPOINT_STATUSES = ['active', 'degraded', 'disabled'] as const
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number]

/** Why an endpoint takes no deliveries. */
export const DISABLED_REASONS = [
  'byUser',
  'gone',
  'askedByReceiver',
  'noSuccessForFiveDays',
  'secretUnreadable',
] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/**
 * `pending` waits for its next attempt, `held` for a recovery because its endpoint is
 * disabled, `failed` used up its schedule, `expired` was held for 30 days.
 */
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'held', 'expired'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Why an attempt is made. */
export const ATTEMPT_KINDS = ['first', 'retry', 'probe', 'manual'] as const
export type AttemptKind = (typeof ATTEMPT_KINDS)[number]

/** `canceled` when its endpoint was disabled meanwhile. */
export const RECOVERY_STATUSES = ['running', 'completed', 'canceled'] as const
export type RecoveryStatus = (typeof RECOVERY_STATUSES)[number]

/** Headers of every attempt, beside those of its signature and of its endpoint. */
export const SENT_HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Tarmac-Webhooks',
} as const
