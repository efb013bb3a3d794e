import { BaseSchema } from '@adonisjs/lucid/schema'

/** A page of the builds of a rare branch or status costs no more in a bucket that holds many. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('distribution_builds', (table) => {
      table.index(['bucket_id', 'branch', 'created_at', 'id'])
      table.index(['bucket_id', 'status', 'created_at', 'id'])
      table.index(['bucket_id', 'status', 'branch', 'created_at', 'id'])
    })
  }

  override async down() {
    this.schema.alterTable('distribution_builds', (table) => {
      table.dropIndex(['bucket_id', 'branch', 'created_at', 'id'])
      table.dropIndex(['bucket_id', 'status', 'created_at', 'id'])
      table.dropIndex(['bucket_id', 'status', 'branch', 'created_at', 'id'])
    })
  }
}
