import { BaseSchema } from '@adonisjs/lucid/schema'

/** What calls to providers leave behind: budgets, tokens, the log, and how hosts are. */
export default class extends BaseSchema {
  override async up() {
    // Keyed by what the provider counts by, which may be shared by organizations.
    this.schema.createTable('provider_budgets', (table) => {
      table.string('key', 255).primary()
      table.text('state').notNullable()
      // Milliseconds.
      table.bigInteger('used_at').notNullable()
      table.index(['used_at'])
    })

    this.schema.createTable('connection_tokens', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('connection_id', 64).primary()
      // Of the credentials that the tokens were got for.
      table.integer('version').notNullable()
      // Bound to organization, connection and version; null until there are some.
      table.text('ciphertext')
      // Who renews them now, and until when: a refresh token is good for one renewal.
      table.string('lease_id', 64)
      table.string('leased_until', 24)
      table.string('updated_at', 24).notNullable()
      table
        .foreign(['organization_id', 'connection_id'])
        .references(['organization_id', 'id'])
        .inTable('connections')
        .onDelete('CASCADE')
    })

    this.schema.createTable('integration_calls', (table) => {
      table.string('id', 64).primary()
      table
        .string('organization_id', 64)
        .notNullable()
        .references('organizations.id')
        .onDelete('CASCADE')
      // Null while credentials are tried that are not stored yet. The log outlives connections.
      table.string('connection_id', 64)
      table.string('plugin_id', 40).notNullable()
      table.string('called_at', 24).notNullable()
      table.string('method', 16).notNullable()
      table.string('host', 255).notNullable()
      // Without query, and with `{id}` for whatever is no word of the API.
      table.string('path', 255).notNullable()
      // Null when no answer came.
      table.integer('status')
      table.integer('milliseconds').notNullable()
      table.integer('attempt').notNullable()
      // What was left of our budget.
      table.integer('remaining')
      table.string('outcome', 16).notNullable()
      table.string('code', 32)
      table.index(['organization_id', 'called_at'])
      table.index(['organization_id', 'connection_id', 'called_at'])
      table.index(['called_at'])
    })

    this.schema.createTable('connection_healths', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('connection_id', 64).notNullable()
      table.string('host', 255).notNullable()
      table.string('state', 16).notNullable()
      table.string('since', 24).notNullable()
      table.string('failed_at', 24)
      table.string('failure', 32)
      table.string('updated_at', 24).notNullable()
      table.primary(['connection_id', 'host'])
      table.index(['organization_id'])
      table
        .foreign(['organization_id', 'connection_id'])
        .references(['organization_id', 'id'])
        .inTable('connections')
        .onDelete('CASCADE')
    })
  }

  override async down() {
    this.schema.dropTable('connection_healths')
    this.schema.dropTable('integration_calls')
    this.schema.dropTable('connection_tokens')
    this.schema.dropTable('provider_budgets')
  }
}
