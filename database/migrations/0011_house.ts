import { BaseSchema } from '@adonisjs/lucid/schema'
import { splitNotes } from '#database/split_notes'

/** Unique keys that a tenant's rows refer to, and the tables that have one. */
const REFERRED = [
  'users',
  'groups',
  'api_keys',
  'apps',
  'releases',
  'release_steps',
  'checklist_items',
]

/**
 * Event numbers have a table of their own, what people note at a run stands apart from the
 * engine's facts, and rows are found by what they are asked for.
 */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('event_counters', (table) => {
      table.string('organization_id', 64).primary().references('organizations.id')
      table.bigInteger('last').notNullable()
    })
    this.schema.raw(
      `insert into event_counters (organization_id, last)
       select id, event_sequence from organizations where event_sequence > 0`
    )
    this.schema.raw('alter table organizations drop column event_sequence')

    this.schema.raw(`alter table step_runs add column notes text not null default '{}'`)
    this.defer((client) => splitNotes(client))

    this.schema.raw('create index step_runs_release_index on step_runs (release_id)')
    this.schema.raw('create index release_items_step_index on release_items (step_id)')
    this.schema.raw('create index release_aliases_release_index on release_aliases (release_id)')
    this.schema.raw(
      `create index releases_status_version_index on releases
       (app_id, status, version_major, version_minor, version_patch)`
    )
    this.schema.raw('create index releases_created_index on releases (app_id, created_at)')
    if (this.db.dialect.name === 'postgres') return
    // Led by the organization, they draw SQLite to read all of its rows; led by the id, one.
    for (const table of REFERRED) {
      this.schema.raw(`drop index ${table}_organization_id_id_unique`)
      this.schema.raw(
        `create unique index ${table}_id_organization_id_unique on ${table} (id, organization_id)`
      )
    }
  }

  override async down() {
    throw new Error('Going back would lose notes; restore a backup.')
  }
}
