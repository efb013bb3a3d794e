import { BaseSchema } from '@adonisjs/lucid/schema'

/** Tickets keep their key as their tracker spells it: what is compared is in upper case. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('tracker_tickets', (table) => {
      table.string('spelled_key', 200).notNullable().defaultTo('')
    })
    this.schema.raw('update tracker_tickets set spelled_key = key')
  }

  override async down() {
    this.schema.alterTable('tracker_tickets', (table) => table.dropColumn('spelled_key'))
  }
}
