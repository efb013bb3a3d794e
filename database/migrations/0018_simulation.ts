import { BaseSchema } from '@adonisjs/lucid/schema'

/** Simulated worlds, and rehearsals in them. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('simulated_worlds', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable().references('organizations.id')
      // SHA-256 of the token of its connection, in hexadecimal digits.
      table.string('token_hash', 64).notNullable()
      // Milliseconds that its time is ahead of the service's.
      table.bigInteger('ahead_ms').notNullable()
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table.string('stamp', 64).notNullable().defaultTo('')
      // JSON of all there is of it.
      table.text('state').notNullable().defaultTo('')
      table.unique(['organization_id'])
    })

    // Rehearsals of apps, and what came of them.
    this.schema.createTable('rehearsals', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('state', 16).notNullable()
      table.string('scenario', 100).notNullable()
      table.integer('weeks').notNullable()
      table.string('begins_at', 24).notNullable()
      table.string('played_to', 24)
      table.text('failure')
      // JSON of what came of it.
      table.text('result')
      table.text('created_by').notNullable()
      table.string('created_at', 24).notNullable()
      table.string('ended_at', 24)
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table.index(['app_id', 'created_at'])
    })
    // An organization has one at a time.
    this.schema.raw(`
      create unique index rehearsals_open on rehearsals (organization_id)
      where state in ('waiting', 'playing')`)
  }
}
