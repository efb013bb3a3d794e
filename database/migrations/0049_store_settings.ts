import { BaseSchema } from '@adonisjs/lucid/schema'

/** How a release goes to users of a store, as the app had it when the release was made. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('store_plans', (table) => {
      // JSON; null for a release that was made before, and for hotfixes.
      table.text('settings')
    })
  }

  override async down() {
    this.schema.alterTable('store_plans', (table) => table.dropColumn('settings'))
  }
}
