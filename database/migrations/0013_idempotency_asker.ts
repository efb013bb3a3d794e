import { BaseSchema } from '@adonisjs/lucid/schema'

/** Who was given a kept answer: what is gone since is told to nobody else. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('idempotency_keys', (table) => {
      table.string('asker', 255)
    })
  }

  override async down() {
    this.schema.alterTable('idempotency_keys', (table) => {
      table.dropColumn('asker')
    })
  }
}
