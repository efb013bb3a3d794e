import { BaseSchema } from '@adonisjs/lucid/schema'

/** Connections that a person is being asked for in a browser. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('oauth_starts', (table) => {
      // The `state` itself is in the browser alone.
      table.string('state_hash', 64).primary()
      table
        .string('organization_id', 64)
        .notNullable()
        .references('organizations.id')
        .onDelete('CASCADE')
      table.string('plugin_id', 40).notNullable()
      // The connection that gets new credentials; null for one that is to be made.
      table.string('connection_id', 64)
      table.string('alias', 100)
      table.text('settings').notNullable()
      // The client's credentials and the verifier, bound to organization and state.
      table.text('ciphertext').notNullable()
      table.string('redirect_uri', 2048).notNullable()
      // Who began it.
      table.text('actor').notNullable()
      table.string('created_at', 24).notNullable()
      table.string('expires_at', 24).notNullable()
      table.index(['expires_at'])
    })
  }

  override async down() {
    this.schema.dropTable('oauth_starts')
  }
}
