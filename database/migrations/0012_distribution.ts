import { BaseSchema } from '@adonisjs/lucid/schema'
import { referredKey } from '#database/referred_key'

/** Buckets, their builds and files, and the people and devices they reach. */
export default class extends BaseSchema {
  override async up() {
    const referred = referredKey(this.db.dialect.name)
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
      table.boolean('public_link_enabled').notNullable().defaultTo(false)
      table.integer('build_count').notNullable().defaultTo(0)
      table.text('retention')
      table.unique(['app_id', 'name'])
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table.unique(referred)
    })

    this.schema.createTable('distribution_builds', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('bucket_id', 64).notNullable()
      table.string('status', 16).notNullable()
      table.text('tester_notes')
      table.text('ci_build')
      table.string('branch', 256)
      table.string('version', 100)
      table.string('build_number', 100)
      table.string('source', 16).notNullable()
      table.text('created_by').notNullable()
      table.string('expires_at', 24)
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table.string('ci_build_id', 64).references('ci_builds.id').onDelete('SET NULL')
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
      table.index(['app_id'], 'distribution_builds_app_id_lookup')
      table.index(['bucket_id', 'branch', 'created_at', 'id'])
      table.index(['bucket_id', 'created_at', 'id'])
      table.index(['bucket_id', 'status', 'branch', 'created_at', 'id'])
      table.index(['bucket_id', 'status', 'created_at', 'id'])
      table.index(['ci_build_id'])
      table.unique(referred)
      table
        .foreign(['organization_id', 'bucket_id'])
        .references(['organization_id', 'id'])
        .inTable('buckets')
    })
    this.schema.raw(`
      create index distribution_builds_active on distribution_builds (bucket_id, created_at, id)
      where status = 'active'`)
    this.schema.raw(`
      create index distribution_builds_ending on distribution_builds (bucket_id, expires_at)
      where status = 'active' and expires_at is not null`)

    this.schema.createTable('distribution_files', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('build_id', 64).notNullable()
      table.string('kind', 16).notNullable()
      table.string('file_name', 255).notNullable()
      table.string('content_type', 255).notNullable()
      table.bigInteger('size').notNullable()
      table.string('sha256', 64).notNullable()
      table.string('file_id', 64)
      table.string('created_at', 24).notNullable()
      table.unique(['build_id', 'kind', 'file_name'])
      table.index(['file_id'], 'distribution_files_file_id_lookup')
      table
        .foreign(['organization_id', 'build_id'])
        .references(['organization_id', 'id'])
        .inTable('distribution_builds')
      table
        .foreign(['organization_id', 'file_id'])
        .references(['organization_id', 'id'])
        .inTable('stored_files')
    })

    this.schema.createTable('build_readings', (table) => {
      table.string('build_id', 64).primary()
      table
        .string('organization_id', 64)
        .notNullable()
        .references('organizations.id')
        .onDelete('CASCADE')
      table.string('status', 16).notNullable()
      table.text('failure')
      table.text('metadata')
      table.text('contents')
      table.string('read_at', 24)
      table
        .foreign(['organization_id', 'build_id'])
        .references(['organization_id', 'id'])
        .inTable('distribution_builds')
    })

    this.schema.createTable('bucket_landings', (table) => {
      table.string('bucket_id', 64).notNullable()
      table.string('ci_build_id', 64).notNullable()
      table.string('organization_id', 64).notNullable()
      table.string('landed_at', 24).notNullable()
      table.primary(['bucket_id', 'ci_build_id'])
      table.index(['ci_build_id'])
      table
        .foreign(['organization_id', 'bucket_id'])
        .references(['organization_id', 'id'])
        .inTable('buckets')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'ci_build_id'])
        .references(['organization_id', 'id'])
        .inTable('ci_builds')
        .onDelete('CASCADE')
    })

    this.schema.createTable('install_links', (table) => {
      table.string('id', 64).primary()
      table
        .string('organization_id', 64)
        .notNullable()
        .references('organizations.id')
        .onDelete('CASCADE')
      table.string('bucket_id', 64).notNullable()
      table.string('build_id', 64)
      table.string('user_id', 64)
      table.text('created_by').notNullable()
      table.string('created_at', 24).notNullable()
      table.string('expires_at', 24)
      table.index(['bucket_id', 'created_at', 'id'])
      table.index(['build_id'])
      table
        .foreign(['organization_id', 'bucket_id'])
        .references(['organization_id', 'id'])
        .inTable('buckets')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'build_id'])
        .references(['organization_id', 'id'])
        .inTable('distribution_builds')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'user_id'])
        .references(['organization_id', 'id'])
        .inTable('users')
        .onDelete('CASCADE')
    })

    this.schema.createTable('tester_devices', (table) => {
      table.string('id', 64).primary()
      table
        .string('organization_id', 64)
        .notNullable()
        .references('organizations.id')
        .onDelete('CASCADE')
      table.string('bucket_id', 64).notNullable()
      table.string('user_id', 64)
      table.string('udid', 64).notNullable()
      table.string('product', 64).notNullable()
      table.string('system_build', 32)
      table.boolean('is_verified').notNullable()
      table.string('certificate_issuer', 255)
      table.string('registered_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table.unique(['bucket_id', 'udid'])
      table.index(['bucket_id', 'registered_at', 'id'])
      table
        .foreign(['organization_id', 'bucket_id'])
        .references(['organization_id', 'id'])
        .inTable('buckets')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'user_id'])
        .references(['organization_id', 'id'])
        .inTable('users')
        .onDelete('CASCADE')
    })

    this.schema.createTable('build_tags', (table) => {
      table.string('build_id', 64).notNullable()
      table.string('tag', 50).notNullable()
      table.string('organization_id', 64).notNullable()
      table.string('bucket_id', 64).notNullable()
      table.primary(['build_id', 'tag'])
      table.index(['bucket_id', 'tag'])
      table
        .foreign(['organization_id', 'build_id'])
        .references(['organization_id', 'id'])
        .inTable('distribution_builds')
        .onDelete('CASCADE')
    })

    this.schema.createTable('build_downloads', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('bucket_id', 64).notNullable()
      table.string('build_id', 64).notNullable()
      // Null for whoever has a public link.
      table.string('user_id', 64)
      table.string('device', 200)
      table.string('downloaded_at', 24).notNullable()
      // The link, which may be gone since; null for a download with a key.
      table.string('install_link_id', 64)
      table.string('key_id', 64)
      table.index(['bucket_id', 'downloaded_at', 'id'])
      table.index(['build_id', 'user_id', 'downloaded_at'])
      table
        .foreign(['organization_id', 'build_id'])
        .references(['organization_id', 'id'])
        .inTable('distribution_builds')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'user_id'])
        .references(['organization_id', 'id'])
        .inTable('users')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'key_id'])
        .references(['organization_id', 'id'])
        .inTable('api_keys')
        .onDelete('CASCADE')
    })
  }
}
