import { BaseSchema } from '@adonisjs/lucid/schema'

/** What went wrong in apps, and how they ask for fixes. */
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
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table.index(['app_id', 'created_at', 'id'])
      table.index(['release_id'])
    })
  }

  override async down() {
    this.schema.dropTable('triage_issues')
    this.schema.dropTable('fix_settings')
  }
}
