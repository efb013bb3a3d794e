import { BaseSchema } from '@adonisjs/lucid/schema'
import { watchedColumns, WATCHED } from '#database/watched_tables'

/*
 * Every organization has a number that grows with each write that could change an answer
 * (docs/decisions/0006-response-cache.md). The databases count themselves, so no write is missed,
 * whoever makes it and however.
 */

const COUNT = (organization: string) => `
  insert into event_counters (organization_id, last, changes) values (${organization}, 0, 1)
  on conflict (organization_id) do update set changes = event_counters.changes + 1;`

/**
 * On PostgreSQL once per transaction and organization, right before the COMMIT: whoever writes
 * for an organization waits for nobody earlier than that.
 */
const NOTE_CHANGE = `
create function note_change() returns trigger language plpgsql as $$
declare
  organization text;
begin
  if tg_table_name = 'organizations' then organization := new.id;
  elsif tg_op = 'DELETE' then organization := old.organization_id;
  else organization := new.organization_id;
  end if;
  if current_setting('tarmac.changed', true) is distinct from organization then
    ${COUNT('organization')}
    perform set_config('tarmac.changed', organization, true);
  end if;
  return null;
end $$`

export default class extends BaseSchema {
  override async up() {
    const isPostgres = this.db.dialect.name === 'postgres'
    if (isPostgres) this.schema.raw(NOTE_CHANGE)
    for (const table of WATCHED) {
      const columns = watchedColumns(table)
      const update = columns ? `update of ${columns.join(', ')}` : 'update'
      const writes = table === 'organizations' ? ['insert', update] : ['insert', update, 'delete']
      if (isPostgres) {
        this.schema.raw(`
          create constraint trigger ${table}_changes after ${writes.join(' or ')} on ${table}
          deferrable initially deferred for each row execute function note_change()`)
        continue
      }
      for (const write of writes) {
        const [kind] = write.split(' ')
        const row = kind === 'delete' ? 'old' : 'new'
        const organization = table === 'organizations' ? `${row}.id` : `${row}.organization_id`
        this.schema.raw(`
          create trigger ${table}_changes_by_${kind} after ${write} on ${table}
          begin ${COUNT(organization)} end`)
      }
    }
  }
}
