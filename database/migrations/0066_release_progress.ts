import { BaseSchema } from '@adonisjs/lucid/schema'

/** How far translations and test runs of releases are, as their providers tell. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('release_progress', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('release_id', 64).notNullable().references('releases.id').onDelete('CASCADE')
      table.string('what', 32).notNullable()
      table.boolean('is_watched').notNullable()
      table.text('seen').nullable()
      table.string('seen_at', 24).nullable()
      table.primary(['release_id', 'what'])
    })
  }

  override async down() {
    this.schema.dropTable('release_progress')
  }
}
