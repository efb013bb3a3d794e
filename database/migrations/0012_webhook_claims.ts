import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * What claiming reads, as small as what may be claimed: a delivery that stands behind an
 * earlier one of its entity is in none of the indexes that are walked for work.
 */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('webhook_deliveries', (table) => {
      // Until when an earlier event of the entity is waited for; see docs/decisions/0010.
      table.string('waits_until', 24)
      table.dropIndex(['endpoint_id', 'status', 'failed_attempts', 'sequence'])
      table.dropIndex(['endpoint_id', 'status', 'next_attempt_at'])
      table.dropIndex(['endpoint_id', 'first_failed_at'])
      table.dropIndex(['endpoint_id', 'entity_key', 'status', 'sequence'])
      table.dropIndex(['endpoint_id', 'lease_until'])
      table.dropIndex(['endpoint_id', 'manual_at'])
    })
    this.schema.alterTable('events', (table) => {
      table.dropIndex(['occurred_at'])
    })
    for (const [name, index] of Object.entries(INDEXES)) {
      this.schema.raw(`create index ${name} on ${index}`)
    }
  }

  override async down() {
    for (const name of Object.keys(INDEXES)) this.schema.raw(`drop index ${name}`)
    this.schema.alterTable('events', (table) => {
      table.index(['occurred_at'])
    })
    this.schema.alterTable('webhook_deliveries', (table) => {
      table.index(['endpoint_id', 'status', 'failed_attempts', 'sequence'])
      table.index(['endpoint_id', 'status', 'next_attempt_at'])
      table.index(['endpoint_id', 'first_failed_at'])
      table.index(['endpoint_id', 'entity_key', 'status', 'sequence'])
      table.index(['endpoint_id', 'lease_until'])
      table.index(['endpoint_id', 'manual_at'])
      table.dropColumn('waits_until')
    })
  }
}

/*
 * They begin with an expression that no other index has: planners whose statistics are old, or
 * of an empty table, would take one that holds all that waits.
 */
const INDEXES = {
  webhook_deliveries_first: `webhook_deliveries ((endpoint_id || ''), sequence)
    where status = 'pending' and failed_attempts = 0 and waits_until is null and sequence is not null`,
  webhook_deliveries_retry: `webhook_deliveries ((endpoint_id || ''), next_attempt_at)
    where status = 'pending' and failed_attempts > 0 and waits_until is null`,
  webhook_deliveries_waiting: `webhook_deliveries ((endpoint_id || ''), waits_until)
    where status = 'pending' and waits_until is not null`,
  webhook_deliveries_order: `webhook_deliveries ((endpoint_id || ' ' || entity_key), sequence)
    where status = 'pending'`,
  webhook_deliveries_lease: `webhook_deliveries ((endpoint_id || ''), lease_until)
    where lease_until is not null`,
  webhook_deliveries_manual: `webhook_deliveries ((endpoint_id || ''), manual_at)
    where manual_at is not null`,
  // Where a recovery begins.
  events_recoverable: `events (organization_id, occurred_at) where payload is not null`,
}
