import { BaseSchema } from '@adonisjs/lucid/schema'

/** What becomes of flags while a release is rolled out. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('flag_watches', (table) => {
      table.string('release_id', 64).primary().references('releases.id').onDelete('CASCADE')
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.boolean('is_on').notNullable()
      // JSON: flags as they were last seen, and how they changed.
      table.text('seen')
      table.text('changes').notNullable()
    })
  }

  override async down() {
    this.schema.dropTable('flag_watches')
  }
}
