import { BaseSchema } from '@adonisjs/lucid/schema'

/** What the HTTP surface keeps: answers to repeat, and counted quotas. */
export default class extends BaseSchema {
  override async up() {
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

    // The last accepted requests of an organization, for the sliding second.
    this.schema.createTable('burst_windows', (table) => {
      table.string('key', 255).primary()
      table.text('accepted').notNullable()
      // Milliseconds; the row says nothing after it.
      table.bigInteger('expire').notNullable()
      table.index(['expire'])
    })
  }

  override async down() {
    this.schema.dropTable('burst_windows')
    this.schema.dropTable('rate_limits')
    this.schema.dropTable('idempotency_keys')
  }
}
