import { BaseSchema } from '@adonisjs/lucid/schema'

/** Accounts of people, the links they sign in with first, where they are signed in, forms of sessions that ended, and programs. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('accounts', (table) => {
      table.string('id', 64).primary()
      table.string('email', 320).notNullable().unique()
      table.string('name', 200)
      // Null for those who sign in with OpenID Connect alone.
      table.string('password_hash', 400)
      table.string('oidc_issuer', 500)
      table.string('oidc_subject', 255)
      table.string('time_zone', 64)
      table.string('theme', 16).notNullable().defaultTo('system')
      table.string('last_organization_id', 64)
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table.unique(['oidc_issuer', 'oidc_subject'])
    })

    this.schema.createTable('sign_in_links', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable().references('organizations.id')
      // Null for a link that is good for whoever has it: that of the first start.
      table.string('user_id', 64)
      table.string('token_hash', 64).notNullable().unique()
      table.boolean('admin').notNullable()
      table.boolean('resets').notNullable()
      table.string('created_at', 24).notNullable()
      table.string('expires_at', 24).notNullable()
      table.string('used_at', 24)
      table
        .foreign(['organization_id', 'user_id'])
        .references(['organization_id', 'id'])
        .inTable('users')
        .onDelete('CASCADE')
      table.index(['organization_id', 'user_id'])
      table.index(['expires_at'])
    })

    this.schema.createTable('sign_ins', (table) => {
      table.string('id', 64).primary()
      table.string('token_hash', 64).notNullable().unique()
      table.string('account_id', 64).notNullable()
      // JSON
      table.text('data').notNullable()
      table.string('client', 300).notNullable()
      table.string('address', 64).notNullable()
      table.string('created_at', 24).notNullable()
      table.string('seen_at', 24).notNullable()
      table.string('expires_at', 24).notNullable()
      table.index(['account_id'])
      table.index(['expires_at'])
    })

    this.schema.createTable('kept_forms', (table) => {
      table.string('account_id', 64).primary()
      table.string('id', 64).notNullable()
      table.string('page', 2000).notNullable()
      table.text('typed').notNullable()
      table.string('expires_at', 24).notNullable()
      table.index(['expires_at'])
    })

    this.schema.createTable('device_logins', (table) => {
      table.string('id', 64).primary()
      table.string('device_code_hash', 64).notNullable().unique()
      table.string('user_code', 8).notNullable().unique()
      table.string('client', 100).notNullable()
      table.string('address', 64).notNullable()
      table.integer('poll_seconds').notNullable()
      table.string('created_at', 24).notNullable()
      table.string('expires_at', 24).notNullable()
      table.string('polled_at', 24)
      table.string('decided_at', 24)
      table.string('organization_id', 64)
      table.string('user_id', 64)
      table.string('used_at', 24)
      table
        .foreign(['organization_id', 'user_id'])
        .references(['organization_id', 'id'])
        .inTable('users')
        .onDelete('CASCADE')
      table.index(['organization_id', 'user_id'])
      table.index(['expires_at'])
    })
  }
}
