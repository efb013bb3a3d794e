import { BaseSchema } from '@adonisjs/lucid/schema'

/** Devices that testers registered. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('tester_devices', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table
        .string('bucket_id', 64)
        .notNullable()
        .references('id')
        .inTable('buckets')
        .onDelete('CASCADE')
      table.string('user_id', 64).references('id').inTable('users').onDelete('CASCADE')
      table.string('udid', 64).notNullable()
      table.string('product', 64).notNullable()
      table.string('system_build', 32)
      table.boolean('is_verified').notNullable()
      table.string('certificate_issuer', 255)
      table.string('registered_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table.unique(['bucket_id', 'udid'])
      table.index(['bucket_id', 'registered_at', 'id'])
      table.foreign('organization_id').references('id').inTable('organizations').onDelete('CASCADE')
    })
  }

  override async down() {
    this.schema.dropTable('tester_devices')
  }
}
