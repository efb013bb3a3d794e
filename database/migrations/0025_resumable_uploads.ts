import { BaseSchema } from '@adonisjs/lucid/schema'

/** Uploads that arrive in several requests, and files that are looked for by their keys. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('stored_files', (table) => {
      table.boolean('lost').notNullable().defaultTo(false)
      table.index(['key'])
    })
    this.schema.createTable('resumable_uploads', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('operation', 64).notNullable()
      table.text('params').notNullable()
      table.bigInteger('length').notNullable()
      table.text('file').notNullable()
      table.text('metadata')
      table.string('location', 1000)
      table.string('created_at', 24).notNullable()
      table.string('expires_at', 24).notNullable()
      table.string('finished_at', 24)
      table.index(['organization_id', 'finished_at'])
      table.index(['expires_at'])
      table.foreign('organization_id').references('id').inTable('organizations').onDelete('CASCADE')
    })
  }

  override async down() {
    this.schema.dropTable('resumable_uploads')
    this.schema.alterTable('stored_files', (table) => {
      table.dropIndex(['key'])
      table.dropColumn('lost')
    })
  }
}
