import { BaseSchema } from '@adonisjs/lucid/schema'

/** What providers send by themselves: the secrets they sign with, and what came already. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('connection_healths', (table) => {
      // Until when a host is not called; a process that ended calls nobody either way.
      table.string('open_until', 24)
    })

    this.schema.createTable('integration_hooks', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('integration_id', 64).primary()
      // The secrets, newest first, bound to organization and integration.
      table.text('ciphertext').notNullable()
      // What the provider calls it; null until it said so.
      table.string('provider_ref', 255)
      table.string('ensured_at', 24)
      table.string('received_at', 24)
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table
        .foreign(['organization_id', 'integration_id'])
        .references(['organization_id', 'id'])
        .inTable('integrations')
        .onDelete('CASCADE')
    })

    this.schema.createTable('integration_deliveries', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('integration_id', 64).notNullable()
      // A hash of the provider's id.
      table.string('delivery_key', 64).notNullable()
      table.string('received_at', 24).notNullable()
      table.primary(['integration_id', 'delivery_key'])
      table.index(['received_at'])
      table
        .foreign(['organization_id', 'integration_id'])
        .references(['organization_id', 'id'])
        .inTable('integrations')
        .onDelete('CASCADE')
    })
  }

  override async down() {
    this.schema.dropTable('integration_deliveries')
    this.schema.dropTable('integration_hooks')
    this.schema.alterTable('connection_healths', (table) => table.dropColumn('open_until'))
  }
}
