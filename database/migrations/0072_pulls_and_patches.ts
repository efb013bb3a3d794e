import { BaseSchema } from '@adonisjs/lucid/schema'

/** What commits change, what hosts tell of pull requests, and how fixes come in. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('release_commits', (table) => {
      table.string('patch_id', 64)
    })
    this.schema.alterTable('fix_requests', (table) => {
      table.string('way_in', 16).notNullable().defaultTo('cherryPick')
    })
    // Only commits that may have been picked have one.
    this.schema.raw(
      `create index release_commits_patches on release_commits (app_id, patch_id)
        where patch_id is not null`
    )
    this.schema.createTable('code_pulls', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('integration_id', 64).notNullable()
      // A number as text, as lists that are bound hold texts.
      table.string('number', 16).notNullable()
      table.text('title')
      table.string('status', 16)
      table.text('url')
      table.text('author')
      table.text('base')
      table.string('merged_at', 24)
      table.string('seen_at', 24).notNullable()
      table.primary(['app_id', 'integration_id', 'number'])
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
    })
  }

  override async down() {
    this.schema.dropTable('code_pulls')
    this.schema.alterTable('fix_requests', (table) => {
      table.dropColumn('way_in')
    })
    this.schema.raw('drop index release_commits_patches')
    this.schema.alterTable('release_commits', (table) => {
      table.dropColumn('patch_id')
    })
  }
}
