import { BaseSchema } from '@adonisjs/lucid/schema'

/** What could not be read of providers, by integration and the method that was called. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('integration_failures', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('integration_id', 64).notNullable()
      table.string('method', 64).notNullable()
      table.string('code', 32).notNullable()
      table.string('message', 500).notNullable()
      // The first of those in a row, and the last.
      table.string('since', 24).notNullable()
      table.string('seen_at', 24).notNullable()
      table.primary(['organization_id', 'integration_id', 'method'])
      table
        .foreign(['organization_id', 'integration_id'])
        .references(['organization_id', 'id'])
        .inTable('integrations')
        .onDelete('CASCADE')
    })
  }

  override async down() {
    this.schema.dropTable('integration_failures')
  }
}
