import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * The last second of an organization is two lists, which PostgreSQL has as arrays: it reckons with
 * them for a fraction of what JSON costs it. Counts begin anew, but for the days that were saved.
 */
export default class extends BaseSchema {
  override async up() {
    const isPostgres = this.db.dialect.name === 'postgres'
    const list = isPostgres ? 'bigint[]' : 'text'
    this.schema.raw('delete from request_counts')
    this.schema.alterTable('request_counts', (table) => {
      table.dropColumn('accepted')
      table.specificType('times', list).notNullable()
      table.specificType('totals', list).notNullable()
    })
    if (isPostgres) this.schema.raw('alter table request_counts set (fillfactor = 50)')
  }

  override async down() {
    this.schema.raw('delete from request_counts')
    this.schema.alterTable('request_counts', (table) => {
      table.dropColumns('times', 'totals')
      table.text('accepted').notNullable()
    })
    if (this.db.dialect.name !== 'postgres') return
    this.schema.raw('alter table request_counts set (fillfactor = 20)')
  }
}
