import { BaseSchema } from '@adonisjs/lucid/schema'

/** A press of the red button ends with the first decision after it that lets the release go on. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('red_buttons', (table) => {
      table.text('generations').notNullable().defaultTo('{}')
    })
  }

  override async down() {
    this.schema.alterTable('red_buttons', (table) => {
      table.dropColumn('generations')
    })
  }
}
