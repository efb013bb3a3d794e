import { BaseSchema } from '@adonisjs/lucid/schema'

/** Cadences and automations of apps and releases. */
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
      table.text('follow_ups').notNullable().defaultTo('{}')
      // Without a foreign key: followers of a removed app are notified.
      table.string('follows_app_id', 100)
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table.index(['organization_id', 'follows_app_id'])
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
      // The times that the release's timers are set to, by name.
      table.text('planned').notNullable()
      table.text('follow_ups').notNullable().defaultTo('{}')
      // JSON; null without one.
      table.text('channel')
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table.index(['app_id'])
    })

    this.schema.createTable('calendar_feeds', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      // Null for every app, and for the releases of everybody.
      table.string('app_id', 100)
      table.string('user_id', 64)
      // SHA-256 in hexadecimal digits: the token itself is shown once.
      table.string('token_hash', 64).notNullable()
      table.string('created_by', 320).notNullable()
      table.string('created_at', 24).notNullable()
      table.unique(['token_hash'])
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'user_id'])
        .references(['organization_id', 'id'])
        .inTable('users')
        .onDelete('CASCADE')
      table.index(['app_id'], 'calendar_feeds_app_id_lookup')
      table.index(['organization_id'])
    })
  }
}
