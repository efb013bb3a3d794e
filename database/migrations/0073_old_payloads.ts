import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * Old payloads are looked for organization by organization, by the index that recoveries begin
 * with: every event is written to one index less.
 */
export default class extends BaseSchema {
  override async up() {
    this.schema.raw('drop index events_payload_index')
  }

  override async down() {
    this.schema.raw(
      'create index events_payload_index on events (occurred_at) where payload is not null'
    )
  }
}
