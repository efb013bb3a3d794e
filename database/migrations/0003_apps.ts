import { BaseSchema } from '@adonisjs/lucid/schema'
import { referredKey } from '#database/referred_key'

/** Apps with their destinations and workflows, and the keys that see only some of them. */
export default class extends BaseSchema {
  override async up() {
    const referred = referredKey(this.db.dialect.name)
    this.schema.createTable('apps', (table) => {
      // A slug of name and platform, unique in the whole service, stable when the name changes.
      table.string('id', 100).primary()
      table.string('organization_id', 64).notNullable().references('organizations.id')
      table.string('name', 100).notNullable()
      table.string('platform', 32).notNullable()
      table.string('app_group', 100)
      table.text('icon_url')
      // Key of the uploaded icon on the disk.
      table.string('icon_file', 100)
      table.text('settings').notNullable()
      table.text('branch_settings').notNullable()
      table.text('tag_settings').notNullable()
      table.text('feature_affiliations').notNullable()
      table.text('app_store_release_settings').notNullable()
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table.text('icon_failure')
      table.unique(referred)
    })

    this.schema.createTable('app_users', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('user_id', 64).notNullable()
      table.integer('position').notNullable()
      table.primary(['app_id', 'user_id'])
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

    this.schema.createTable('api_key_apps', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('api_key_id', 12).notNullable()
      table.string('app_id', 100).notNullable()
      table.primary(['api_key_id', 'app_id'])
      table
        .foreign(['organization_id', 'api_key_id'])
        .references(['organization_id', 'id'])
        .inTable('api_keys')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table.index(['app_id'], 'api_key_apps_app_id_lookup')
    })

    this.schema.createTable('trust_rules', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('provider', 16).notNullable()
      table.string('issuer', 2048).notNullable()
      table.string('audience', 255).notNullable()
      table.string('repository', 255).notNullable()
      table.string('repository_id', 32)
      table.string('workflow', 255).notNullable()
      table.text('refs').notNullable()
      table.string('environment', 255)
      table.text('group_ids').notNullable()
      table.text('created_by').notNullable()
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table.string('last_used_at', 24)
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table.index(['app_id'], 'trust_rules_app_id_lookup')
    })

    this.schema.createTable('destinations', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('name', 100).notNullable()
      table.string('store_type', 16).notNullable()
      table.integer('position').notNullable()
      table.text('app_store_release_settings').notNullable()
      table.string('created_at', 24).notNullable()
      table.unique(['app_id', 'name'])
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table.unique(referred)
    })

    this.schema.createTable('step_configs', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('name', 100).notNullable()
      table.string('type', 32).notNullable()
      table.integer('group_index').notNullable()
      table.integer('position').notNullable()
      table.text('release_types').notNullable()
      table.string('destination_id', 64)
      table.string('created_at', 24).notNullable()
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table.index(['app_id', 'group_index', 'position'])
      table.index(['destination_id'], 'step_configs_destination_id_lookup')
      table
        .foreign(['organization_id', 'destination_id'])
        .references(['organization_id', 'id'])
        .inTable('destinations')
        .onDelete('CASCADE')
    })
  }
}
