import { BaseSchema } from '@adonisjs/lucid/schema'
import { referredKey } from '#database/referred_key'

/** Checklist, approval and regression items. */
export default class extends BaseSchema {
  override async up() {
    const referred = referredKey(this.db.dialect.name)
    this.schema.createTable('checklist_items', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('kind', 16).notNullable()
      table.string('title', 200).notNullable()
      table.text('description')
      table.text('release_types').notNullable()
      table.text('owners').notNullable()
      table.boolean('required').notNullable()
      table.boolean('notify_on_completion').notNullable()
      // Placement: one of the two is set.
      table.string('step_config_id', 64)
      table.string('step_type', 32)
      table.integer('position').notNullable()
      // Set for a one-off item of one release, null for a template.
      table.string('release_id', 64)
      table.text('settings').notNullable()
      // JSON: why the service asks for an approval; null for an item of people.
      table.text('demand')
      table.string('created_by', 64)
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      // A deleted item stays readable where a release already used it.
      table.string('deleted_at', 24)
      table.unique(referred)
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'release_id'])
        .references(['organization_id', 'id'])
        .inTable('releases')
        .onDelete('CASCADE')
      table.index(['app_id', 'kind', 'position'])
      table.index(['release_id'])
    })

    this.schema.createTable('release_items', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('release_id', 64).notNullable()
      table.string('item_id', 64).notNullable()
      table.string('step_id', 64).notNullable()
      table.string('kind', 16).notNullable()
      table.string('title', 200).notNullable()
      table.text('description')
      table.text('release_types').notNullable()
      table.text('owners').notNullable()
      table.boolean('required').notNullable()
      table.boolean('notify_on_completion').notNullable()
      table.integer('position').notNullable()
      table.text('settings').notNullable()
      // JSON: why the service asks for an approval; null for an item of people.
      table.text('demand')
      table.string('status', 16).notNullable()
      table.string('status_updated_at', 24)
      table.text('status_updated_by')
      table.text('comment')
      // The voters so far, for items that need several approvals.
      table.text('votes').notNullable()
      // Last change of the release's copy, status or comment.
      table.string('updated_at', 24).notNullable()
      table.primary(['release_id', 'item_id'])
      table
        .foreign(['organization_id', 'item_id'])
        .references(['organization_id', 'id'])
        .inTable('checklist_items')
      table
        .foreign(['organization_id', 'release_id'])
        .references(['organization_id', 'id'])
        .inTable('releases')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'step_id'])
        .references(['organization_id', 'id'])
        .inTable('release_steps')
        .onDelete('CASCADE')
      table.index(['item_id'])
      table.index(['step_id'], 'release_items_step_index')
    })
  }
}
