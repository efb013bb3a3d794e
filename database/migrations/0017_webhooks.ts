import { BaseSchema } from '@adonisjs/lucid/schema'
import { referredKey } from '#database/referred_key'

/** Endpoints, and what was delivered to them. */
export default class extends BaseSchema {
  override async up() {
    const referred = referredKey(this.db.dialect.name)
    this.schema.createTable('webhook_endpoints', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable().references('organizations.id')
      table.string('url', 2048).notNullable()
      table.string('description', 500)
      // A list of event names, or of the single word "*".
      table.text('events').notNullable()
      // Lists, or null for all.
      table.text('app_ids')
      table.text('platforms')
      table.integer('timeout_seconds').notNullable()
      // Attempts per second; null is as fast as they come.
      table.integer('max_per_second')
      table.boolean('asymmetric').notNullable()
      // Encrypted and bound to the endpoint: signing keys, and custom headers.
      table.text('sealed_keys').notNullable()
      table.text('sealed_headers').notNullable()
      table.text('header_names').notNullable()
      table.string('status', 16).notNullable()
      table.string('disabled_reason', 32)
      table.integer('failures').notNullable()
      table.string('failing_since', 24)
      table.integer('warnings').notNullable()
      table.string('warned_at', 24)
      table.string('last_success_at', 24)
      // Events up to this one happened before the endpoint existed.
      table.bigInteger('start_sequence').notNullable()
      // The earliest time there may be something to do for it; null when there is nothing.
      table.string('wake_at', 24)
      // When a degraded endpoint is tried again.
      table.string('probe_at', 24)
      table.integer('probes').notNullable().defaultTo(0)
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table.unique(referred)
      table.index(['wake_at'])
    })

    this.schema.createTable('webhook_deliveries', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('endpoint_id', 64).notNullable()
      // The id the receiver sees, the same at every attempt.
      table.string('event_id', 64).notNullable()
      table.string('event_type', 64).notNullable()
      table.string('entity_key', 128).notNullable()
      table.string('app_id', 100)
      // Null for a ping, which is no event of the organization and brings its own bytes.
      table.bigInteger('sequence')
      // Orders the log among deliveries made at the same time: the sequence, 0 for a ping.
      table.bigInteger('place').notNullable()
      table.text('payload')
      table.string('status', 16).notNullable()
      // Attempts of the schedule that failed; probes and manual ones do not count.
      table.integer('failed_attempts').notNullable()
      table.integer('attempt_count').notNullable()
      table.string('next_attempt_at', 24)
      table.string('first_failed_at', 24)
      // A single attempt that somebody asked for, outside of the schedule.
      table.string('manual_at', 24)
      // The claim that works on it, and its lease.
      table.string('claim_id', 64)
      table.string('claimed_at', 24)
      table.string('lease_until', 24)
      table.integer('last_status_code')
      table.string('last_error_class', 32)
      table.string('last_attempt_at', 24)
      table.string('created_at', 24).notNullable()
      table.string('finished_at', 24)
      // Until when an earlier event of the entity is waited for; see docs/decisions/0011-webhooks.md.
      table.string('waits_until', 24)
      table.string('claimed_by', 64)
      table.unique(['endpoint_id', 'event_id'])
      table.unique(referred)
      table
        .foreign(['organization_id', 'endpoint_id'])
        .references(['organization_id', 'id'])
        .inTable('webhook_endpoints')
        .onDelete('CASCADE')
      table.index(['created_at'])
      table.index(['endpoint_id', 'claimed_at'])
      table.index(['endpoint_id', 'created_at', 'place', 'id'])
    })
    this.schema.raw(`
      create index webhook_deliveries_first on webhook_deliveries ((endpoint_id || ''), sequence)
      where status = 'pending' and failed_attempts = 0 and waits_until is null and sequence is not null`)
    this.schema.raw(`
      create index webhook_deliveries_lease on webhook_deliveries ((endpoint_id || ''), lease_until)
      where lease_until is not null`)
    this.schema.raw(`
      create index webhook_deliveries_manual on webhook_deliveries ((endpoint_id || ''), manual_at)
      where manual_at is not null`)
    this.schema.raw(`
      create index webhook_deliveries_order on webhook_deliveries ((endpoint_id || ' ' || entity_key), sequence)
      where status = 'pending'`)
    this.schema.raw(`
      create index webhook_deliveries_retry on webhook_deliveries ((endpoint_id || ''), next_attempt_at)
      where status = 'pending' and failed_attempts > 0 and waits_until is null`)
    this.schema.raw(`
      create index webhook_deliveries_waiting on webhook_deliveries ((endpoint_id || ''), waits_until)
      where status = 'pending' and waits_until is not null`)

    this.schema.createTable('webhook_attempts', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('delivery_id', 64).notNullable()
      table.integer('number').notNullable()
      table.string('kind', 16).notNullable()
      table.boolean('delivered').notNullable()
      table.string('started_at', 24).notNullable()
      table.string('url', 2048).notNullable()
      // JSON: those of the endpoint's own; their values are secrets, and not kept.
      table.text('header_names').notNullable()
      table.integer('status_code')
      table.string('error_class', 32)
      table.string('error_message', 500)
      table.text('answer_headers').notNullable()
      table.text('answer_body').notNullable()
      table.string('remote_address', 64)
      table.text('timings').notNullable()
      table.unique(['delivery_id', 'number'])
      table
        .foreign(['organization_id', 'delivery_id'])
        .references(['organization_id', 'id'])
        .inTable('webhook_deliveries')
        .onDelete('CASCADE')
    })

    // The progress of turning an organization's events into deliveries.
    this.schema.createTable('webhook_relays', (table) => {
      table.string('organization_id', 64).primary().references('organizations.id')
      table.bigInteger('sequence').notNullable()
    })

    this.schema.createTable('webhook_recoveries', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('endpoint_id', 64).notNullable()
      table.string('since', 24).notNullable()
      table.string('status', 16).notNullable()
      // The events between these two are still to be looked at.
      table.bigInteger('examined_sequence').notNullable()
      table.bigInteger('last_sequence').notNullable()
      table.integer('examined').notNullable()
      table.integer('recovered').notNullable()
      table.string('created_at', 24).notNullable()
      table.string('finished_at', 24)
      table.unique(referred)
      table
        .foreign(['organization_id', 'endpoint_id'])
        .references(['organization_id', 'id'])
        .inTable('webhook_endpoints')
        .onDelete('CASCADE')
      table.index(['endpoint_id'], 'webhook_recoveries_endpoint_id_lookup')
      table.index(['status'])
    })
  }
}
