import { BaseSchema } from '@adonisjs/lucid/schema'

/** Where providers keep files of CI builds, which are fetched when somebody needs them. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('ci_build_files', (table) => {
      table.text('source')
      table.text('failure')
    })
  }

  override async down() {
    this.schema.alterTable('ci_build_files', (table) => {
      table.dropColumns('source', 'failure')
    })
  }
}
