import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * When the provider of an integration last answered, or sent what is taken from it; and the
 * branches that are watched in one, for what a provider says by itself.
 */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('integrations', (table) => {
      table.string('last_synced_at', 24)
    })
    this.schema.alterTable('release_branch_watches', (table) => {
      table.index(['integration_id'])
    })
  }

  override async down() {
    this.schema.alterTable('release_branch_watches', (table) => {
      table.dropIndex(['integration_id'])
    })
    this.schema.alterTable('integrations', (table) => {
      table.dropColumn('last_synced_at')
    })
  }
}
