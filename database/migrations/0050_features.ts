import { BaseSchema } from '@adonisjs/lucid/schema'

/** What was seen of the code and the tickets of releases, and the work items that follow. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('release_features', (table) => {
      table.string('release_id', 64).primary().references('releases.id').onDelete('CASCADE')
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.boolean('watches_code').notNullable()
      table.boolean('watches_tickets').notNullable()
      // JSON: ranges of commits, counts, keys and open pull requests.
      table.text('release_range')
      table.text('working_range')
      table.text('mentioned').notNullable()
      table.text('open_pulls').notNullable()
      table.text('counts')
      table.string('code_seen_at', 24)
      table.string('tickets_seen_at', 24)
      table.index(['organization_id', 'app_id'])
    })
    this.schema.createTable('release_commits', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('release_id', 64).notNullable().references('releases.id').onDelete('CASCADE')
      table.string('side', 8).notNullable()
      table.string('hash', 64).notNullable()
      table.integer('place').notNullable()
      table.text('message').notNullable()
      table.text('author').notNullable()
      table.string('committed_at', 24).notNullable()
      table.text('url')
      table.text('parents').notNullable()
      table.text('tickets').notNullable()
      table.text('picked_from').notNullable()
      table.text('reverts').notNullable()
      table.integer('pull_request')
      table.primary(['release_id', 'side', 'hash'])
      table.index(['app_id', 'hash'])
      table.index(['app_id', 'pull_request'])
    })
    this.schema.createTable('tracker_tickets', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('integration_id', 64).notNullable()
      table.string('key', 200).notNullable()
      table.boolean('is_known').notNullable()
      table.string('ticket_id', 200).notNullable()
      table.text('title').notNullable()
      table.string('status', 100).notNullable()
      table.boolean('done').notNullable()
      table.text('url')
      table.text('assignee')
      table.text('fix_versions').notNullable()
      table.string('seen_at', 24).notNullable()
      table.string('changed_at', 24).notNullable()
      table.primary(['app_id', 'integration_id', 'key'])
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
    })
    this.schema.createTable('release_tickets', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('release_id', 64).notNullable().references('releases.id').onDelete('CASCADE')
      table.string('integration_id', 64).notNullable()
      table.string('key', 200).notNullable()
      table.primary(['release_id', 'integration_id', 'key'])
    })
    this.schema.createTable('feature_items', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('release_id', 64).notNullable().references('releases.id').onDelete('CASCADE')
      table.string('item_key', 300).notNullable()
      table.text('ticket')
      table.text('code').notNullable()
      table.string('code_status', 16).notNullable()
      table.string('code_type', 16)
      table.string('reason', 32).notNullable()
      table.string('digest', 64).notNullable()
      table.text('search_text').notNullable()
      table.text('authors').notNullable()
      table.boolean('is_gone').notNullable()
      table.boolean('ignored').notNullable()
      table.text('ignored_by')
      table.string('ignored_at', 24)
      table.string('created_at', 24).notNullable()
      table.unique(['release_id', 'item_key'])
      table.index(['app_id', 'item_key'])
      table.index(['release_id', 'created_at', 'id'])
    })
  }

  override async down() {
    for (const name of [
      'feature_items',
      'release_tickets',
      'tracker_tickets',
      'release_commits',
      'release_features',
    ]) {
      this.schema.dropTable(name)
    }
  }
}
