import { BaseSchema } from '@adonisjs/lucid/schema'

/** What became of the commits of fix requests that were to be picked; which commits are picks. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('fix_requests', (table) => {
      // JSON, by hash.
      table.text('picks').notNullable().defaultTo('{}')
    })
    this.schema.alterTable('release_commits', (table) => {
      table.string('origin', 64)
      table.index(['app_id', 'origin'])
    })
  }

  override async down() {
    this.schema.alterTable('release_commits', (table) => {
      table.dropIndex(['app_id', 'origin'])
      table.dropColumn('origin')
    })
    this.schema.alterTable('fix_requests', (table) => table.dropColumn('picks'))
  }
}
