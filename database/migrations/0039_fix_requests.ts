import { BaseSchema } from '@adonisjs/lucid/schema'

/** Requests to bring late changes into running releases. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('fix_requests', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('release_id', 64).notNullable().references('releases.id').onDelete('CASCADE')
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
      table.index(['release_id', 'created_at', 'id'])
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
    })
    this.schema.alterTable('ci_builds', (table) => table.index(['app_id', 'commit_hash']))
  }

  override async down() {
    this.schema.alterTable('ci_builds', (table) => table.dropIndex(['app_id', 'commit_hash']))
    this.schema.dropTable('fix_requests')
  }
}
