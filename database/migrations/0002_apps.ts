import { BaseSchema } from '@adonisjs/lucid/schema'

/** Apps with their settings and workflow, who uses them, and the scope of keys over them. */
export default class extends BaseSchema {
  override async up() {
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
      table.unique(['organization_id', 'id'])
    })

    this.schema.createTable('app_users', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('user_id', 64).notNullable()
      table.integer('position').notNullable()
      table.primary(['app_id', 'user_id'])
      appKey(table)
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
      appKey(table)
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
      appKey(table)
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
      table.string('destination_id', 64).references('destinations.id').onDelete('CASCADE')
      table.string('created_at', 24).notNullable()
      table.index(['app_id', 'group_index', 'position'])
      appKey(table)
    })

    this.schema.createTable('buckets', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('name', 100).notNullable()
      table.string('type', 16).notNullable()
      table.string('status', 16).notNullable()
      table.boolean('org_wide_access_enabled').notNullable()
      table.boolean('notifications_enabled').notNullable()
      table.integer('position').notNullable()
      table.text('members').notNullable()
      table.text('rules').notNullable()
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table.unique(['app_id', 'name'])
      appKey(table)
    })
  }

  override async down() {
    for (const name of [
      'buckets',
      'step_configs',
      'destinations',
      'api_key_apps',
      'app_users',
      'apps',
    ]) {
      this.schema.dropTable(name)
    }
  }
}

function appKey(table: Parameters<Parameters<BaseSchema['schema']['createTable']>[1]>[0]) {
  table
    .foreign(['organization_id', 'app_id'])
    .references(['organization_id', 'id'])
    .inTable('apps')
    .onDelete('CASCADE')
}
