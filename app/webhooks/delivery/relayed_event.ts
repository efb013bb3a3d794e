import type { Instant } from '#foundation/core/clock'

/** The columns of a public event that the relay reads. */
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
