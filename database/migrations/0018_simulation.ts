import { BaseSchema } from '@adonisjs/lucid/schema'

/** Simulated worlds. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('simulated_worlds', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable().references('organizations.id')
      // SHA-256 of the token of its connection, in hexadecimal digits.
      table.string('token_hash', 64).notNullable()
      // Milliseconds that its time is ahead of the service's.
      table.bigInteger('ahead_ms').notNullable()
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table.string('stamp', 64).notNullable().defaultTo('')
      // JSON of all there is of it.
      table.text('state').notNullable().defaultTo('')
      table.unique(['organization_id'])
    })
  }
}
