import { BaseSchema } from '@adonisjs/lucid/schema'

/** What triage issues were seen as elsewhere, so that the same is recorded once. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('triage_issues', (table) => {
      table.string('origin', 300)
      table.unique(['app_id', 'origin'])
    })
  }

  override async down() {
    this.schema.alterTable('triage_issues', (table) => {
      table.dropUnique(['app_id', 'origin'])
      table.dropColumn('origin')
    })
  }
}
