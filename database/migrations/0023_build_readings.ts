import { BaseSchema } from '@adonisjs/lucid/schema'
import { planReadings } from '#database/plan_readings'

/** What was read in the artifacts of builds; those that are there are read as well. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('build_readings', (table) => {
      table.string('build_id', 64).primary().references('id').inTable('distribution_builds')
      table.string('organization_id', 64).notNullable()
      table.string('status', 16).notNullable()
      table.text('failure')
      table.text('metadata')
      table.string('read_at', 24)
      table.foreign('organization_id').references('id').inTable('organizations').onDelete('CASCADE')
    })
    this.defer((database) => planReadings(database))
  }

  override async down() {
    this.schema.dropTable('build_readings')
  }
}
