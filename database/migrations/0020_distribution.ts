import { BaseSchema } from '@adonisjs/lucid/schema'

/** Files that rows name, builds that are handed to testers, and the files of a build. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('buckets', (table) => {
      table.boolean('public_link_enabled').notNullable().defaultTo(false)
    })
    this.schema.createTable('stored_files', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('sha256', 64).notNullable()
      table.bigInteger('size').notNullable()
      table.string('key', 200).notNullable()
      table.integer('holders').notNullable()
      table.string('created_at', 24).notNullable()
      table.unique(['organization_id', 'sha256'])
      table.foreign('organization_id').references('id').inTable('organizations').onDelete('CASCADE')
    })
    this.schema.createTable('distribution_builds', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('bucket_id', 64).notNullable().references('id').inTable('buckets')
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
      table.index(['bucket_id', 'created_at', 'id'])
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
    })
    this.schema.createTable('distribution_files', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('build_id', 64).notNullable().references('id').inTable('distribution_builds')
      table.string('kind', 16).notNullable()
      table.string('file_name', 255).notNullable()
      table.string('content_type', 255).notNullable()
      table.bigInteger('size').notNullable()
      table.string('sha256', 64).notNullable()
      table.string('file_id', 64).references('id').inTable('stored_files')
      table.string('created_at', 24).notNullable()
      table.unique(['build_id', 'kind', 'file_name'])
    })
  }

  override async down() {
    this.schema.dropTable('distribution_files')
    this.schema.dropTable('distribution_builds')
    this.schema.dropTable('stored_files')
    this.schema.alterTable('buckets', (table) => {
      table.dropColumn('public_link_enabled')
    })
  }
}
