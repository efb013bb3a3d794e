import { BaseSchema } from '@adonisjs/lucid/schema'

/** Where commits came into their branch, and what picks of them have in common with them. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('release_commits', (table) => {
      table.integer('entered')
      table.string('text_key', 64)
      table.index(['app_id', 'text_key'])
      table.index(['release_id', 'side', 'place'])
    })
    // Few commits take others back.
    this.schema.raw(
      `create index release_commits_reverting on release_commits (release_id) where reverts <> '[]'`
    )
    this.schema.alterTable('release_features', (table) => {
      table.text('release_edge')
    })
  }

  override async down() {
    this.schema.alterTable('release_features', (table) => {
      table.dropColumn('release_edge')
    })
    this.schema.raw('drop index release_commits_reverting')
    this.schema.alterTable('release_commits', (table) => {
      table.dropIndex(['release_id', 'side', 'place'])
      table.dropIndex(['app_id', 'text_key'])
      table.dropColumns('entered', 'text_key')
    })
  }
}
