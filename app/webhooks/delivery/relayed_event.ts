import type { Instant } from '#foundation/core/clock'

/** A public event as far as the relay reads it. */
export interface RelayedEvent {
  id: string
  organization_id: string
  type: string
  entity_key: string
  app_id: string | null
  sequence: number
  occurred_at: Instant
  platform: string | null
}
