import { BaseSchema } from '@adonisjs/lucid/schema'

/** Tickets that were told by the service which release they belong to. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('ticket_marks', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('release_id', 64).notNullable().references('releases.id').onDelete('CASCADE')
      table.string('integration_id', 64).notNullable()
      table.string('key', 200).notNullable()
      table.string('marked_at', 24).notNullable()
      table.primary(['release_id', 'integration_id', 'key'])
    })
  }

  override async down() {
    this.schema.dropTable('ticket_marks')
  }
}
