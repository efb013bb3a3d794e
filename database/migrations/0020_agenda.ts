import { BaseSchema } from '@adonisjs/lucid/schema'
import { planNextLooks } from '#database/plan_next_looks'

/**
 * The agenda: what the workers have to do, and when (docs/decisions/0018-agenda.md). Times at
 * which releases have to be looked at again become entries of it.
 */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('agenda_entries', (table) => {
      table.bigIncrements('place')
      table.string('id', 64).notNullable().unique()
      // Null for what the service does for itself.
      table.string('organization_id', 64).references('organizations.id').onDelete('CASCADE')
      table.string('nature', 16).notNullable()
      table.string('kind', 64).notNullable()
      table.string('subject', 255).notNullable()
      table.string('entity_key', 255)
      table.string('idempotency_key', 255).notNullable()
      table.text('payload').notNullable()
      table.string('state', 16).notNullable()
      table.string('due_at', 24)
      table.string('look_at', 24)
      table.integer('attempts').notNullable().defaultTo(0)
      table.integer('doubts').notNullable().defaultTo(0)
      table.boolean('replanned').notNullable().defaultTo(false)
      table.integer('interval_ms')
      table.string('claim_id', 64)
      table.text('last_error')
      table.string('created_at', 24).notNullable()
      table.string('finished_at', 24)
    })
    for (const index of INDEXES) this.schema.raw(index)
    this.defer((client) => planNextLooks(client))
    // Nobody looks for due releases among all of them.
    this.schema.alterTable('releases', (table) => {
      table.dropIndex(['next_look_at'])
    })
  }

  override async down() {
    this.schema.alterTable('releases', (table) => {
      table.index(['next_look_at'])
    })
    this.schema.dropTable('agenda_entries')
  }
}

const LANE = `coalesce(organization_id, '')`

const INDEXES = [
  `create unique index agenda_entries_key on agenda_entries (${LANE}, kind, idempotency_key)`,
  // What may have to be done, by time; and by organization, where one has very much to do.
  `create index agenda_entries_due on agenda_entries (nature, look_at) where look_at is not null`,
  `create index agenda_entries_lane on agenda_entries (nature, (${LANE}), look_at)
    where look_at is not null`,
  `create index agenda_entries_subject on agenda_entries (organization_id, kind, subject)
    where finished_at is null`,
  `create index agenda_entries_order on agenda_entries (organization_id, entity_key, place)
    where entity_key is not null and finished_at is null`,
  // Of an entity one is at work, the others stand behind it.
  `create unique index agenda_entries_turn on agenda_entries (organization_id, entity_key)
    where entity_key is not null and state = 'planned'`,
  `create index agenda_entries_finished on agenda_entries (finished_at)
    where finished_at is not null`,
]
