import { BaseSchema } from '@adonisjs/lucid/schema'

/** What is planned for an app (cadence, freezes, automations), and for each of its releases. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('app_plans', (table) => {
      table.string('app_id', 100).primary()
      table.string('organization_id', 64).notNullable()
      // JSON; null until a cadence was set.
      table.text('cadence')
      // A day: trains that begin before it are decided.
      table.string('undecided_from', 10)
      table.text('freezes').notNullable()
      table.text('automations').notNullable()
      table.text('pause')
      table.text('reminders').notNullable()
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
    })
    this.schema.createTable('release_plans', (table) => {
      // Without a foreign key: timers are taken back by what stands here, also of an app that
      // goes with all of its releases.
      table.string('release_id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      // The day of the train that the release was drafted for; null for one made by hand.
      table.string('slot', 10)
      table.text('automations').notNullable()
      table.text('pause')
      table.text('runs').notNullable()
      table.text('reminded').notNullable()
      // When the timers of the release are set to, by name.
      table.text('planned').notNullable()
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table.index(['app_id'])
    })
  }

  override async down() {
    this.schema.dropTable('release_plans')
    this.schema.dropTable('app_plans')
  }
}
