import { BaseSchema } from '@adonisjs/lucid/schema'

/** A release that all users had can be halted: users are offered the version before it again. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('releases', (table) => table.string('halted_at', 24))
  }

  override async down() {
    this.schema.alterTable('releases', (table) => table.dropColumn('halted_at'))
  }
}
