import { BaseSchema } from '@adonisjs/lucid/schema'
import { referredKey } from '#database/referred_key'
import { newId } from '#foundation/core/ids'

/**
 * The tables every module needs: events, jobs, files, idempotent requests, limits and processes.
 */
export default class extends BaseSchema {
  override async up() {
    const referred = referredKey(this.db.dialect.name)
    const isPostgres = this.db.dialect.name === 'postgres'
    this.schema.createTable('events', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable().references('organizations.id')
      table.string('type', 64).notNullable()
      table.string('occurred_at', 24).notNullable()
      table.string('app_id', 100)
      table.string('release_id', 64)
      table.string('step_config_id', 64)
      // The key that deliveries keep their order by.
      table.string('entity_key', 128).notNullable()
      // Number within the organization, public events only.
      table.bigInteger('sequence')
      table.text('payload')
      table.string('title', 500).notNullable()
      table.text('actor').notNullable()
      table.text('data').notNullable()
      // Place in the release's timeline and the hashes that chain it.
      table.integer('position')
      table.string('previous_hash', 64)
      table.string('hash', 64)
      table.unique(['organization_id', 'sequence'])
      table.unique(['release_id', 'position'])
      table.index(['release_id', 'step_config_id', 'position'])
    })
    this.schema.raw(`
      create index events_app_index on events (app_id, occurred_at, id)
      where release_id is null and sequence is null`)
    this.schema.raw(`
      create index events_recoverable on events (organization_id, occurred_at)
      where payload is not null`)

    this.schema.createTable('event_streams', (table) => {
      table.string('release_id', 64).primary()
      table.string('organization_id', 64).notNullable().references('organizations.id')
      table.integer('position').notNullable()
      table.string('hash', 64).notNullable()
    })

    this.schema.createTable('idempotency_keys', (table) => {
      table.string('organization_id', 64).notNullable().references('organizations.id')
      table.string('idempotency_key', 255).notNullable()
      table.string('method', 8).notNullable()
      table.string('route', 255).notNullable()
      table.string('fingerprint', 64).notNullable()
      table.integer('status').notNullable()
      table.text('headers').notNullable()
      table.text('body').notNullable()
      table.string('created_at', 24).notNullable()
      table.string('asker', 255)
      table.primary(['organization_id', 'idempotency_key', 'method', 'route'])
      table.index(['created_at'])
    })

    // The table of the limiter's database store.
    this.schema.createTable('rate_limits', (table) => {
      table.string('key', 255).primary()
      table.integer('points').notNullable().defaultTo(0)
      table.bigInteger('expire')
      table.index(['expire'])
    })

    this.schema.createTable('event_counters', (table) => {
      table.string('organization_id', 64).primary().references('organizations.id')
      table.bigInteger('last').notNullable()
      table.bigInteger('changes').notNullable().defaultTo(0)
    })

    this.schema.createTable('jobs', (table) => {
      table.bigIncrements('place')
      table.string('id', 64).notNullable()
      // Null for what the service does for itself.
      table.string('organization_id', 64).references('organizations.id').onDelete('CASCADE')
      table.string('nature', 16).notNullable()
      table.string('kind', 64).notNullable()
      table.string('subject', 255).notNullable()
      table.string('entity_key', 255)
      table.string('idempotency_key', 255).notNullable()
      table.text('payload').notNullable()
      table.string('state', 16).notNullable()
      table.string('due_at', 24)
      table.string('visible_at', 24)
      table.integer('attempts').notNullable().defaultTo(0)
      table.integer('doubts').notNullable().defaultTo(0)
      table.boolean('replanned').notNullable().defaultTo(false)
      table.integer('interval_ms')
      table.string('claim_id', 64)
      table.text('last_error')
      table.string('created_at', 24).notNullable()
      table.string('finished_at', 24)
      table.string('claimed_by', 64)
      table.unique(['id'])
    })
    this.schema.raw(`
      create index jobs_claimed on jobs (claimed_by)
      where claimed_by is not null`)
    this.schema.raw(`
      create index jobs_due on jobs (nature, visible_at)
      where visible_at is not null`)
    this.schema.raw(`
      create index jobs_finished on jobs (finished_at)
      where finished_at is not null`)
    this.schema.raw(`
      create unique index jobs_key on jobs (coalesce(organization_id, ''), kind, idempotency_key)`)
    this.schema.raw(`
      create index jobs_lane on jobs (nature, (coalesce(organization_id, '')), visible_at)
      where visible_at is not null`)
    this.schema.raw(`
      create index jobs_order on jobs (organization_id, entity_key, place)
      where entity_key is not null and finished_at is null`)
    this.schema.raw(`
      create index jobs_subject on jobs (organization_id, kind, subject)
      where finished_at is null`)
    this.schema.raw(`
      create unique index jobs_turn on jobs (organization_id, entity_key)
      where entity_key is not null and state = 'planned'`)

    this.schema.createTable('stored_files', (table) => {
      table.string('id', 64).primary()
      table
        .string('organization_id', 64)
        .notNullable()
        .references('organizations.id')
        .onDelete('CASCADE')
      table.string('sha256', 64).notNullable()
      table.bigInteger('size').notNullable()
      table.string('key', 200).notNullable()
      table.integer('holders').notNullable()
      table.string('created_at', 24).notNullable()
      table.boolean('lost').notNullable().defaultTo(false)
      table.unique(['organization_id', 'sha256'])
      table.index(['key'])
      table.unique(referred)
    })

    this.schema.createTable('resumable_uploads', (table) => {
      table.string('id', 64).primary()
      table
        .string('organization_id', 64)
        .notNullable()
        .references('organizations.id')
        .onDelete('CASCADE')
      table.string('operation', 64).notNullable()
      table.text('params').notNullable()
      table.bigInteger('length').notNullable()
      table.text('file').notNullable()
      table.text('metadata')
      table.string('location', 1000)
      table.string('created_at', 24).notNullable()
      table.string('expires_at', 24).notNullable()
      table.string('finished_at', 24)
      table.string('holder', 64)
      table.string('held_until', 24)
      table.boolean('is_awaited').notNullable().defaultTo(false)
      table.boolean('is_finishing').notNullable().defaultTo(false)
      table.index(['expires_at'])
      table.index(['organization_id', 'finished_at'])
    })

    this.schema.createTable('service_identity', (table) => {
      table.string('id', 64).primary()
    })

    this.schema.createTable('service_processes', (table) => {
      table.string('id', 64).primary()
      // Milliseconds since the epoch, by the clock of the database.
      table.bigInteger('heard_at').notNullable()
      table.integer('patience_ms').notNullable()
      table.bigInteger('gone_at')
      table.boolean('is_cleared').notNullable().defaultTo(false)
    })
    if (isPostgres) {
      this.schema.raw('alter table service_processes set unlogged')
      this.schema.raw('alter table service_processes set (fillfactor=20)')
    }

    this.schema.createTable('request_counts', (table) => {
      table.string('key', 255).primary()
      table.integer('day').notNullable()
      table.integer('of_day').notNullable()
      table.integer('per_day').notNullable()
      table.integer('granted').notNullable()
      // Milliseconds.
      table.bigInteger('counted_at').notNullable()
      table.specificType('times', isPostgres ? 'bigint[]' : 'TEXT').notNullable()
      table.specificType('totals', isPostgres ? 'bigint[]' : 'TEXT').notNullable()
    })
    if (isPostgres) {
      this.schema.raw('alter table request_counts set unlogged')
      this.schema.raw('alter table request_counts set (fillfactor=50)')
    }
    this.defer(async (client) => {
      await client.table('service_identity').insert({ id: newId('svc') })
    })
  }
}
