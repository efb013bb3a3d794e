import { BaseSchema } from '@adonisjs/lucid/schema'

/** The progress of translations and test runs. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('release_progress', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('release_id', 64).notNullable()
      table.string('what', 32).notNullable()
      table.boolean('is_watched').notNullable()
      table.text('seen')
      table.string('seen_at', 24)
      table.primary(['release_id', 'what'])
      table
        .foreign(['organization_id', 'release_id'])
        .references(['organization_id', 'id'])
        .inTable('releases')
        .onDelete('CASCADE')
    })
  }
}
