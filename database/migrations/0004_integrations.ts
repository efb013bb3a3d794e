import { BaseSchema } from '@adonisjs/lucid/schema'
import { referredKey } from '#database/referred_key'

/** Connections to providers, the integrations of apps, and what was sent either way. */
export default class extends BaseSchema {
  override async up() {
    const referred = referredKey(this.db.dialect.name)
    this.schema.createTable('connections', (table) => {
      // `<plugin>:<number>`, unique in the whole service.
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable().references('organizations.id')
      table.string('plugin_id', 40).notNullable()
      table.string('alias', 100)
      // The alias in lower case, which may be longer, by which it is unique; null without one.
      table.string('alias_key', 400)
      table.string('status', 16).notNullable()
      // Settings that are no secret: region, host, account.
      table.text('settings').notNullable()
      // The account, as the provider named it at the last successful check.
      table.string('account', 200)
      table.string('checked_at', 24)
      // Permissions that the last check found missing, as the provider names them, and why it
      // failed if it did.
      table.text('missing_permissions').notNullable()
      table.text('check_failure')
      // When the credentials end, as the provider said at the last successful check.
      table.string('ends_at', 24)
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table.unique(['organization_id', 'alias_key'])
      table.unique(referred)
    })

    this.schema.createTable('integrations', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('connection_id', 64).notNullable()
      // Its key in the app's configuration file.
      table.string('key', 100).notNullable()
      table.string('type', 60).notNullable()
      table.string('kind', 32).notNullable()
      table.text('data').notNullable()
      table.integer('position').notNullable()
      // The destination that brought it; null for those of the app, which its first one uses.
      table.string('destination_id', 64).references('destinations.id').onDelete('SET NULL')
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table.string('last_synced_at', 24)
      table.unique(['app_id', 'key'])
      table.unique(referred)
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'connection_id'])
        .references(['organization_id', 'id'])
        .inTable('connections')
      table.index(['destination_id'], 'integrations_destination_id_lookup')
      table.index(['organization_id', 'connection_id'])
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
      table
        .foreign(['organization_id', 'connection_id'])
        .references(['organization_id', 'id'])
        .inTable('connections')
        .onDelete('CASCADE')
      table.index(['organization_id'])
    })

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
      // Version of the credentials that the tokens were obtained with.
      table.integer('version').notNullable()
      // Bound to organization, connection and version; null until there are some.
      table.text('ciphertext')
      // Lease of a renewal: a refresh token is good for one.
      table.string('lease_id', 64)
      table.string('leased_until', 24)
      table.string('updated_at', 24).notNullable()
      table
        .foreign(['organization_id', 'connection_id'])
        .references(['organization_id', 'id'])
        .inTable('connections')
        .onDelete('CASCADE')
    })

    this.schema.createTable('connection_values', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('connection_id', 64).notNullable()
      table.string('name', 300).notNullable()
      table.string('value', 200).notNullable()
      table.primary(['organization_id', 'connection_id', 'name'])
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
      // The rest of our budget.
      table.integer('remaining')
      table.string('outcome', 16).notNullable()
      table.string('code', 32)
      table.index(['called_at'])
      table.index(['organization_id', 'called_at'])
      table.index(['organization_id', 'connection_id', 'called_at'])
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
      // Until when a host is not called; a process that ended calls nobody either way.
      table.string('open_until', 24)
      table.primary(['connection_id', 'host'])
      table
        .foreign(['organization_id', 'connection_id'])
        .references(['organization_id', 'id'])
        .inTable('connections')
        .onDelete('CASCADE')
      table.index(['organization_id'])
    })

    this.schema.createTable('integration_hooks', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('integration_id', 64).primary()
      // The provider's id. Integrations of one connection may share a webhook; null where the
      // provider sends by itself.
      table.string('provider_ref', 255)
      // JSON: where it was made, for its removal.
      table.text('place').notNullable()
      table.string('ensured_at', 24).notNullable()
      table
        .foreign(['organization_id', 'integration_id'])
        .references(['organization_id', 'id'])
        .inTable('integrations')
        .onDelete('CASCADE')
    })

    this.schema.createTable('callback_addresses', (table) => {
      table.string('organization_id', 64).notNullable()
      // The id of the connection or of the integration.
      table.string('id', 64).primary()
      table.string('connection_id', 64)
      table.string('integration_id', 64)
      // The secrets, newest first, bound to organization and address; null for none.
      table.text('ciphertext')
      table.string('received_at', 24)
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table
        .foreign(['organization_id', 'connection_id'])
        .references(['organization_id', 'id'])
        .inTable('connections')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'integration_id'])
        .references(['organization_id', 'id'])
        .inTable('integrations')
        .onDelete('CASCADE')
      table.index(['organization_id', 'connection_id'])
      table.index(['organization_id', 'integration_id'])
    })

    this.schema.createTable('callback_deliveries', (table) => {
      table
        .string('organization_id', 64)
        .notNullable()
        .references('organizations.id')
        .onDelete('CASCADE')
      table.string('address_id', 64).notNullable()
      // A hash of the provider's id.
      table.string('delivery_key', 64).notNullable()
      table.string('received_at', 24).notNullable()
      table.primary(['address_id', 'delivery_key'])
      table.index(['received_at'])
    })

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
      // The actor who began it.
      table.text('actor').notNullable()
      // The session of a browser that alone may finish it; null for one that the console began.
      table.string('browser', 100)
      table.string('created_at', 24).notNullable()
      table.string('expires_at', 24).notNullable()
      table.index(['expires_at'])
    })

    this.schema.createTable('integration_failures', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('integration_id', 64).notNullable()
      table.string('method', 64).notNullable()
      table.string('code', 32).notNullable()
      table.string('message', 500).notNullable()
      table.string('who', 100)
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
}
