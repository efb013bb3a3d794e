import { BaseSchema } from '@adonisjs/lucid/schema'

/** Kinds of change between builds that need an approval. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('change_approvals', (table) => {
      table.string('app_id', 100).primary()
      table.string('organization_id', 64).notNullable()
      // JSON: kinds of change with ids of groups, in order.
      table.text('rules').notNullable()
      table.string('updated_at', 24).notNullable()
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
    })
  }
}
