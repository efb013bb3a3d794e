import { BaseSchema } from '@adonisjs/lucid/schema'

/** Addresses that calendar programs read a schedule at. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('calendar_feeds', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      // Null for every app, and for the releases of everybody.
      table.string('app_id', 100)
      table.string('user_id', 64)
      // SHA-256 in hexadecimal digits: the token itself is shown once.
      table.string('token_hash', 64).notNullable().unique()
      table.string('created_by', 320).notNullable()
      table.string('created_at', 24).notNullable()
      table.index(['organization_id'])
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'user_id'])
        .references(['organization_id', 'id'])
        .inTable('users')
        .onDelete('CASCADE')
    })
  }

  override async down() {
    this.schema.dropTable('calendar_feeds')
  }
}
