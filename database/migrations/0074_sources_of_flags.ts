import { BaseSchema } from '@adonisjs/lucid/schema'

/** Where flags were seen, and whether a host is still to tell what commits change. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('flag_watches', (table) => {
      // JSON.
      table.text('source')
    })
    this.schema.alterTable('release_features', (table) => {
      table.boolean('patches_owed').notNullable().defaultTo(false)
    })
  }

  override async down() {
    this.schema.alterTable('release_features', (table) => {
      table.dropColumn('patches_owed')
    })
    this.schema.alterTable('flag_watches', (table) => {
      table.dropColumn('source')
    })
  }
}
