import { BaseSchema } from '@adonisjs/lucid/schema'

/** Processes that work, each with its heartbeat, and which of them is at what it claimed. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('service_processes', (table) => {
      table.string('id', 64).primary()
      // Milliseconds since the epoch, by the clock of the database.
      table.bigInteger('heard_at').notNullable()
      table.integer('patience_ms').notNullable()
      table.bigInteger('gone_at')
      table.boolean('is_cleared').notNullable().defaultTo(false)
    })
    for (const name of CLAIMED) {
      this.schema.alterTable(name, (table) => void table.string('claimed_by', 64))
    }
    this.schema.raw(`create index agenda_entries_claimed on agenda_entries (claimed_by)
      where claimed_by is not null`)
    if (this.db.dialect.name !== 'postgres') return
    // Written every second by each process: no log of it, and room for the next version of a row.
    this.schema.raw('alter table service_processes set unlogged')
    this.schema.raw('alter table service_processes set (fillfactor = 20)')
  }

  override async down() {
    this.schema.raw('drop index agenda_entries_claimed')
    for (const name of CLAIMED) {
      this.schema.alterTable(name, (table) => void table.dropColumn('claimed_by'))
    }
    this.schema.dropTable('service_processes')
  }
}

const CLAIMED = ['agenda_entries', 'webhook_deliveries']
