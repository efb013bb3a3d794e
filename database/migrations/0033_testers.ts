import { BaseSchema } from '@adonisjs/lucid/schema'

/** Tags of builds, and who downloaded them. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('build_tags', (table) => {
      table
        .string('build_id', 64)
        .notNullable()
        .references('id')
        .inTable('distribution_builds')
        .onDelete('CASCADE')
      table.string('tag', 50).notNullable()
      table.string('organization_id', 64).notNullable()
      table.string('bucket_id', 64).notNullable()
      table.primary(['build_id', 'tag'])
      table.index(['bucket_id', 'tag'])
    })
    this.schema.createTable('build_downloads', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('bucket_id', 64).notNullable()
      table
        .string('build_id', 64)
        .notNullable()
        .references('id')
        .inTable('distribution_builds')
        .onDelete('CASCADE')
      // Null for whoever has a public link.
      table.string('user_id', 64).references('id').inTable('users').onDelete('CASCADE')
      // Of the link, which may be gone since.
      table.string('link_id', 64).notNullable()
      table.string('device', 200)
      table.string('downloaded_at', 24).notNullable()
      table.index(['bucket_id', 'downloaded_at', 'id'])
      table.index(['build_id', 'user_id', 'downloaded_at'])
    })
  }

  override async down() {
    this.schema.dropTable('build_downloads')
    this.schema.dropTable('build_tags')
  }
}
