import { BaseSchema } from '@adonisjs/lucid/schema'

/** The apps whose CI is looked at for builds that rules of buckets wait for. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('app_build_watches', (table) => {
      table.string('app_id', 64).primary().references('id').inTable('apps').onDelete('CASCADE')
      table.string('organization_id', 64).notNullable()
      table.string('integration_id', 64).notNullable()
      table.string('since', 24).notNullable()
    })
  }

  override async down() {
    this.schema.dropTable('app_build_watches')
  }
}
