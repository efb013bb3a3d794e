import { BaseSchema } from '@adonisjs/lucid/schema'
import { referredKey } from '#database/referred_key'

/** Organizations, their people and their keys, and what was done with them. */
export default class extends BaseSchema {
  override async up() {
    const referred = referredKey(this.db.dialect.name)
    this.schema.createTable('organizations', (table) => {
      table.string('id', 64).primary()
      table.string('name', 200).notNullable()
      table.text('icon_url')
      table.boolean('role_based_access_enabled').notNullable().defaultTo(false)
      table.boolean('add_new_users_to_all_apps').notNullable().defaultTo(false)
      table.boolean('require_if_match').notNullable().defaultTo(false)
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
    })

    this.schema.createTable('users', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable().references('organizations.id')
      table.string('email', 320).notNullable()
      table.string('name', 200)
      table.string('status', 16).notNullable()
      table.boolean('admin').notNullable().defaultTo(false)
      table.string('account_id', 64)
      table.string('deactivated_at', 24)
      table.string('created_at', 24).notNullable()
      table.unique(['organization_id', 'email'])
      table.unique(['organization_id', 'account_id'])
      table.index(['account_id'])
      table.unique(referred)
    })

    this.schema.createTable('groups', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable().references('organizations.id')
      table.string('name', 100).notNullable()
      // The name folded to lower case, which can be longer: names are unique without regard to it.
      table.string('name_key', 400).notNullable()
      table.boolean('is_default').notNullable()
      table.text('user_actions').notNullable()
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table.unique(referred)
      table.unique(['organization_id', 'name_key'])
    })

    this.schema.createTable('group_members', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('group_id', 64).notNullable()
      table.string('user_id', 64).notNullable()
      table.string('created_at', 24).notNullable()
      table.primary(['group_id', 'user_id'])
      table
        .foreign(['organization_id', 'group_id'])
        .references(['organization_id', 'id'])
        .inTable('groups')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'user_id'])
        .references(['organization_id', 'id'])
        .inTable('users')
        .onDelete('CASCADE')
      table.index(['user_id'])
    })

    this.schema.createTable('api_keys', (table) => {
      // The 12 public characters of the key itself.
      table.string('id', 12).primary()
      table.string('organization_id', 64).notNullable().references('organizations.id')
      table.string('name', 100).notNullable()
      table.string('secret_hash', 64).notNullable()
      table.boolean('admin').notNullable()
      // Sees only the apps of `api_key_apps`: none at all once the last of them is deleted.
      table.boolean('app_restricted').notNullable()
      table.string('expires_at', 24)
      table.string('revoked_at', 24)
      table.string('last_used_at', 24)
      // The key this one was rotated from.
      table.string('rotated_from', 12)
      // The person it acts as; null for a key with rights of its own.
      table.string('user_id', 64)
      // The rule by which a run of CI got it; null for a key that somebody made.
      table.string('trust_rule_id', 64)
      table.string('created_at', 24).notNullable()
      table
        .foreign(['organization_id', 'user_id'])
        .references(['organization_id', 'id'])
        .inTable('users')
        .onDelete('CASCADE')
      table.index(['user_id'])
      table.unique(referred)
    })

    this.schema.createTable('api_key_groups', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('api_key_id', 12).notNullable()
      table.string('group_id', 64).notNullable()
      table.primary(['api_key_id', 'group_id'])
      table
        .foreign(['organization_id', 'api_key_id'])
        .references(['organization_id', 'id'])
        .inTable('api_keys')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'group_id'])
        .references(['organization_id', 'id'])
        .inTable('groups')
        .onDelete('CASCADE')
      table.index(['group_id'], 'api_key_groups_group_id_lookup')
    })

    // Tokens of CI that were used, each once in all organizations, until nobody would take them.
    this.schema.createTable('spent_tokens', (table) => {
      // SHA-256 of issuer and `jti`.
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable().references('organizations.id')
      table.string('expires_at', 24).notNullable()
      table.index(['expires_at'])
    })

    this.schema.createTable('audit_entries', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable().references('organizations.id')
      table.string('action', 100).notNullable()
      table.text('actor').notNullable()
      table.string('subject', 200).notNullable()
      table.text('data').notNullable()
      table.string('created_at', 24).notNullable()
      table.index(['organization_id', 'created_at'])
      table.index(['subject'])
    })
  }
}
