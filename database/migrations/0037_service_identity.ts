import { BaseSchema } from '@adonisjs/lucid/schema'
import { newId } from '#foundation/core/ids'

/** What this service is called where it shares something with others, such as a bucket of S3. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('service_identity', (table) => {
      table.string('id', 64).primary()
    })
    this.defer(async (client) => {
      await client.table('service_identity').insert({ id: newId('svc') })
    })
  }

  override async down() {
    this.schema.dropTable('service_identity')
  }
}
