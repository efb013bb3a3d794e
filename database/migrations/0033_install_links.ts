import { BaseSchema } from '@adonisjs/lucid/schema'

/** Links by which testers install builds. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('install_links', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table
        .string('bucket_id', 64)
        .notNullable()
        .references('id')
        .inTable('buckets')
        .onDelete('CASCADE')
      table
        .string('build_id', 64)
        .references('id')
        .inTable('distribution_builds')
        .onDelete('CASCADE')
      table.string('user_id', 64).references('id').inTable('users').onDelete('CASCADE')
      table.text('created_by').notNullable()
      table.string('created_at', 24).notNullable()
      table.string('expires_at', 24)
      table.index(['bucket_id', 'created_at', 'id'])
      // So that a build goes without a look at every link.
      table.index(['build_id'])
      table.foreign('organization_id').references('id').inTable('organizations').onDelete('CASCADE')
    })
  }

  override async down() {
    this.schema.dropTable('install_links')
  }
}
