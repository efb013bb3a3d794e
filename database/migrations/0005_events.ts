import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * The outbox: every event with its cause, written in the transaction of the change.
 * Public events carry a sequence and the bytes to send; the timeline of a release reads
 * the rows of its stream. No foreign key to what an event speaks of: it outlives it.
 */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('events', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable().references('organizations.id')
      table.string('type', 64).notNullable()
      table.string('occurred_at', 24).notNullable()
      table.string('app_id', 100)
      table.string('release_id', 64)
      table.string('step_config_id', 64)
      // What deliveries are kept in order for.
      table.string('entity_key', 128).notNullable()
      // Number within the organization, public events only.
      table.bigInteger('sequence')
      table.text('payload')
      table.string('title', 500).notNullable()
      table.text('actor').notNullable()
      table.text('data').notNullable()
      // Place in the release's timeline and the hashes that chain it.
      table.integer('position')
      table.string('previous_hash', 64)
      table.string('hash', 64)
      table.unique(['organization_id', 'sequence'])
      table.unique(['release_id', 'position'])
      table.index(['release_id', 'step_config_id', 'position'])
      table.index(['occurred_at'])
    })

    // What retention looks for: as small as what can still be sent, not as all that happened.
    this.schema.raw(
      'create index events_payload_index on events (occurred_at) where payload is not null'
    )

    this.schema.createTable('event_streams', (table) => {
      table.string('release_id', 64).primary()
      table.string('organization_id', 64).notNullable().references('organizations.id')
      table.integer('position').notNullable()
      table.string('hash', 64).notNullable()
    })
  }

  override async down() {
    this.schema.dropTable('event_streams')
    this.schema.dropTable('events')
  }
}
