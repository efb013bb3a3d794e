import { BaseSchema } from '@adonisjs/lucid/schema'

/** What the commits of a working branch come after: where a change is, is told of its builds too. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('release_features', (table) => {
      table.text('working_edge')
    })
  }

  override async down() {
    this.schema.alterTable('release_features', (table) => {
      table.dropColumn('working_edge')
    })
  }
}
