import { BaseSchema } from '@adonisjs/lucid/schema'

/** Requests of one upload follow each other, whichever process they come to. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('resumable_uploads', (table) => {
      table.string('holder', 64)
      table.string('held_until', 24)
      table.boolean('is_awaited').notNullable().defaultTo(false)
      table.boolean('is_finishing').notNullable().defaultTo(false)
    })
  }

  override async down() {
    this.schema.alterTable('resumable_uploads', (table) => {
      table.dropColumns('holder', 'held_until', 'is_awaited', 'is_finishing')
    })
  }
}
