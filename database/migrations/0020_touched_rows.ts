import { BaseSchema } from '@adonisjs/lucid/schema'

/*
 * A transaction that asks for it has every row noted that it changes, whoever changes it and
 * however: also what goes by a cascade (docs/decisions/0028-agents.md). The notes are
 * gone before it ends. SQLite has triggers of the connection for that, while they are needed.
 */

/** Tables that are written all the time, or by the service for itself: their rows are not noted. */
const UNNOTED = [
  'adonis_schema',
  'adonis_schema_versions',
  'audit_entries',
  'callback_deliveries',
  'connection_healths',
  'connection_tokens',
  'connection_values',
  'event_counters',
  'event_streams',
  'events',
  'idempotency_keys',
  'integration_calls',
  'integration_failures',
  'metric_points',
  'metric_series',
  'oauth_starts',
  'provider_budgets',
  'rate_limits',
  'request_counts',
  'resumable_uploads',
  'service_identity',
  'simulated_worlds',
  'stored_files',
  'touched_rows',
  'webhook_relays',
]

const NOTE = `
create function note_touched() returns trigger language plpgsql as $$
begin
  insert into touched_rows (table_name, before_row, after_row) values (
    tg_table_name,
    case when tg_op <> 'INSERT' then to_jsonb(old)::text end,
    case when tg_op <> 'DELETE' then to_jsonb(new)::text end);
  return null;
end $$`

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('touched_rows', (table) => {
      table.bigIncrements('place')
      table.text('table_name').notNullable()
      table.text('before_row')
      table.text('after_row')
    })
    if (this.db.dialect.name !== 'postgres') return
    this.schema.raw('alter table touched_rows set unlogged')
    this.schema.raw(NOTE)
    // A later migration that adds a table adds its trigger.
    const tables = await this.db.from('pg_tables').whereRaw('schemaname = current_schema()')
    for (const { tablename: table } of tables) {
      if (UNNOTED.includes(table)) continue
      this.schema.raw(`
        create trigger ${table}_touched after insert or update or delete on ${table}
        for each row when (current_setting('tarmac.touched', true) = 'on')
        execute function note_touched()`)
    }
  }
}
