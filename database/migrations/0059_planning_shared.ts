import { BaseSchema } from '@adonisjs/lucid/schema'

/** Whose cadence an app follows, and the chat channel that was made for a release. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('app_plans', (table) => {
      // Without a foreign key: who followed an app that goes is told of it.
      table.string('follows_app_id', 100)
      table.index(['organization_id', 'follows_app_id'])
    })
    this.schema.alterTable('release_plans', (table) => {
      // JSON; null without one.
      table.text('channel')
    })
  }

  override async down() {
    this.schema.alterTable('release_plans', (table) => table.dropColumn('channel'))
    this.schema.alterTable('app_plans', (table) => {
      table.dropIndex(['organization_id', 'follows_app_id'])
      table.dropColumn('follows_app_id')
    })
  }
}
