import { BaseSchema } from '@adonisjs/lucid/schema'

/** Late fixes and triage issues. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('fix_settings', (table) => {
      table.string('app_id', 100).primary()
      table.string('organization_id', 64).notNullable()
      table.integer('required_approvals').notNullable()
      table.boolean('four_eyes').notNullable()
      // JSON: the form, in order.
      table.text('fields').notNullable()
      table.string('updated_at', 24).notNullable()
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
    })

    this.schema.createTable('triage_issues', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('title', 200).notNullable()
      table.text('description')
      table.string('source', 32).notNullable()
      table.text('source_url')
      table.string('severity', 16).notNullable()
      table.string('status', 16).notNullable()
      // JSON.
      table.text('affected_versions').notNullable()
      // Internal id; null for an issue of no release, and once the release was deleted.
      table.string('release_id', 64).references('releases.id').onDelete('SET NULL')
      table.text('metrics').notNullable()
      // Without a foreign key: its release takes the request along, which frees the issue first.
      table.string('fix_request_id', 64)
      table.text('created_by').notNullable()
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table.string('origin', 300)
      table.unique(['app_id', 'origin'])
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table.index(['app_id', 'created_at', 'id'])
      table.index(['release_id', 'created_at', 'id'])
    })

    this.schema.createTable('fix_requests', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('release_id', 64).notNullable()
      table.string('status', 16).notNullable()
      table.string('title', 200).notNullable()
      table.text('description')
      // JSON: actors, what they said, and what the request brings in.
      table.text('requester').notNullable()
      table.text('asked_by')
      table.text('approvals').notNullable()
      table.text('rejections').notNullable()
      table.integer('required_approvals').notNullable()
      table.boolean('four_eyes').notNullable()
      table.string('work_item_id', 64)
      table.string('ticket_id', 200)
      table.text('commits').notNullable()
      table.text('pull_requests').notNullable()
      table.text('form_fields').notNullable()
      // Without foreign keys: issues and runs may go, and the request still says what it was.
      table.string('triage_issue_id', 64)
      table.string('step_run_id', 64)
      table.text('rejection_reason')
      table.string('created_at', 24).notNullable()
      table.string('approved_at', 24)
      table.string('rejected_at', 24)
      table.string('merged_at', 24)
      // JSON, by hash.
      table.text('picks').notNullable().defaultTo('{}')
      table.string('way_in', 16).notNullable().defaultTo('cherryPick')
      table.string('merge_head', 64)
      // JSON.
      table.text('reported_closed').notNullable().defaultTo('[]')
      table.text('included_code')
      table.string('repository', 64)
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table.index(['app_id'], 'fix_requests_app_id_lookup')
      table.index(['release_id', 'created_at', 'id'])
      table
        .foreign(['organization_id', 'release_id'])
        .references(['organization_id', 'id'])
        .inTable('releases')
        .onDelete('CASCADE')
    })
  }
}
