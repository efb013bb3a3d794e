import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * What tells a state of a simulated world from the one that was read last. The state comes behind
 * all other columns: SQLite reads through a long value to get at what is behind it. Reviews of
 * stores are looked for by what they are of: the newest of an integration, and those of a version.
 */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('simulated_worlds', (table) => {
      table.string('stamp', 64).notNullable().defaultTo('')
    })
    this.#moveState('placed_last')
    this.schema.alterTable('app_store_reviews', (table) => {
      table.index(['integration_id', 'written_at'], 'app_store_reviews_newest')
      table.index(['app_id', 'version', 'written_at', 'id'], 'app_store_reviews_of_version')
    })
  }

  override async down() {
    this.schema.alterTable('app_store_reviews', (table) => {
      table.dropIndex(['integration_id', 'written_at'], 'app_store_reviews_newest')
      table.dropIndex(['app_id', 'version', 'written_at', 'id'], 'app_store_reviews_of_version')
    })
    this.schema.raw('alter table simulated_worlds drop column stamp')
  }

  /** Behind all other columns, by way of another name. */
  #moveState(name: string): void {
    this.schema.raw(`alter table simulated_worlds add column ${name} text not null default ''`)
    this.schema.raw(`update simulated_worlds set ${name} = state`)
    this.schema.raw('alter table simulated_worlds drop column state')
    this.schema.raw(`alter table simulated_worlds rename column ${name} to state`)
  }
}
