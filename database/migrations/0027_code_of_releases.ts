import { BaseSchema } from '@adonisjs/lucid/schema'

/** The tag of what was released, and what automations do with the code once something happened. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('releases', (table) => {
      // JSON; null until there is one.
      table.text('tag')
    })
    for (const name of ['app_plans', 'release_plans']) {
      this.schema.alterTable(name, (table) => {
        // JSON, by the type of the automation.
        table.text('follow_ups').notNullable().defaultTo('{}')
      })
    }
  }

  override async down() {
    this.schema.alterTable('releases', (table) => table.dropColumn('tag'))
    for (const name of ['app_plans', 'release_plans']) {
      this.schema.alterTable(name, (table) => table.dropColumn('follow_ups'))
    }
  }
}
