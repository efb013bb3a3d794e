import { BaseSchema } from '@adonisjs/lucid/schema'

/** What fixes merge and was seen of it, branches that are gone, and picks of several commits. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('fix_requests', (table) => {
      table.string('merge_head', 64)
      // JSON.
      table.text('told_closed').notNullable().defaultTo('[]')
      table.text('brought_in')
    })
    this.schema.alterTable('release_features', (table) => {
      table.text('missing_branch')
    })
    this.schema.alterTable('release_commits', (table) => {
      // JSON.
      table.text('more_origins')
    })
    this.schema.raw(
      `update release_commits set more_origins = picked_from where picked_from like '%,%'`
    )
    // Few commits are picked from several.
    this.schema.raw(
      `create index release_commits_more_origins on release_commits (app_id)
        where more_origins is not null`
    )
  }

  override async down() {
    this.schema.raw('drop index release_commits_more_origins')
    this.schema.alterTable('release_commits', (table) => {
      table.dropColumn('more_origins')
    })
    this.schema.alterTable('release_features', (table) => {
      table.dropColumn('missing_branch')
    })
    this.schema.alterTable('fix_requests', (table) => {
      table.dropColumn('merge_head')
      table.dropColumn('told_closed')
      table.dropColumn('brought_in')
    })
  }
}
