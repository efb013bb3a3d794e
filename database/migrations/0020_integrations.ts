import { BaseSchema } from '@adonisjs/lucid/schema'

/** What an organization is connected to with its encrypted credentials, and what apps use of it. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('connections', (table) => {
      // `<plugin>:<number>`, unique in the whole service.
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable().references('organizations.id')
      table.string('plugin_id', 40).notNullable()
      table.string('alias', 100)
      // The alias in lower case, by which it is unique; null without one.
      table.string('alias_key', 100)
      table.string('status', 16).notNullable()
      // What is no secret: region, host, account.
      table.text('settings').notNullable()
      // Whose account it is, as the provider said at the last check that went well.
      table.string('account', 200)
      table.string('checked_at', 24)
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table.unique(['organization_id', 'id'])
      table.unique(['organization_id', 'alias_key'])
    })

    this.schema.createTable('connection_secrets', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('connection_id', 64).notNullable()
      table.integer('version').notNullable()
      // Bound to organization, connection and version; null once another version took over.
      table.text('ciphertext')
      // Equal for equal credentials of one plugin, and no way back to them.
      table.string('fingerprint', 64).notNullable()
      table.string('created_at', 24).notNullable()
      table.string('retired_at', 24)
      table.primary(['connection_id', 'version'])
      table.index(['organization_id'])
      table
        .foreign(['organization_id', 'connection_id'])
        .references(['organization_id', 'id'])
        .inTable('connections')
        .onDelete('CASCADE')
    })

    this.schema.createTable('integrations', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('connection_id', 64).notNullable()
      // What the app's configuration file calls it.
      table.string('key', 100).notNullable()
      table.string('type', 60).notNullable()
      table.string('kind', 32).notNullable()
      table.text('data').notNullable()
      table.integer('position').notNullable()
      // The destination that brought it; null for those of the app, which its first one uses.
      table.string('destination_id', 64).references('destinations.id').onDelete('SET NULL')
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table.unique(['app_id', 'key'])
      table.unique(['organization_id', 'id'])
      table.index(['organization_id', 'connection_id'])
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'connection_id'])
        .references(['organization_id', 'id'])
        .inTable('connections')
    })
  }

  override async down() {
    this.schema.dropTable('integrations')
    this.schema.dropTable('connection_secrets')
    this.schema.dropTable('connections')
  }
}
