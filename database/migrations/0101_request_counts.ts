import { BaseSchema } from '@adonisjs/lucid/schema'

/** Second and day of an organization are counted in one row. */
export default class extends BaseSchema {
  override async up() {
    this.schema.dropTable('burst_windows')
    this.schema.createTable('request_counts', (table) => {
      table.string('key', 255).primary()
      table.text('accepted').notNullable()
      table.integer('day').notNullable()
      table.integer('of_day').notNullable()
      table.integer('per_day').notNullable()
      table.integer('granted').notNullable()
      // Milliseconds.
      table.bigInteger('counted_at').notNullable()
    })
    if (this.db.dialect.name !== 'postgres') return
    // Written at every request: no log of it, and room beside each row for its next version.
    this.schema.raw('alter table request_counts set unlogged')
    this.schema.raw('alter table request_counts set (fillfactor = 20)')
  }

  override async down() {
    this.schema.dropTable('request_counts')
    this.schema.createTable('burst_windows', (table) => {
      table.string('key', 255).primary()
      table.text('accepted').notNullable()
      table.bigInteger('expire').notNullable()
      table.index(['expire'])
    })
  }
}
