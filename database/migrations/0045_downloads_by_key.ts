import { BaseSchema } from '@adonisjs/lucid/schema'

/** Builds are downloaded with API keys, too: then there is a key in place of a link. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('build_downloads', (table) => {
      // Of the link, which may be gone since; null for a download with a key.
      table.string('install_link_id', 64)
      table.string('key_id', 64).references('id').inTable('api_keys').onDelete('CASCADE')
    })
    this.schema.raw('update build_downloads set install_link_id = link_id')
    this.schema.raw('alter table build_downloads drop column link_id')
  }

  override async down() {
    this.schema.raw('delete from build_downloads where install_link_id is null')
    this.schema.alterTable('build_downloads', (table) => {
      table.string('link_id', 64).notNullable().defaultTo('')
    })
    this.schema.raw('update build_downloads set link_id = install_link_id')
    this.schema.alterTable('build_downloads', (table) => {
      table.dropForeign('key_id')
    })
    this.schema.alterTable('build_downloads', (table) => {
      table.dropColumns('install_link_id', 'key_id')
    })
  }
}
