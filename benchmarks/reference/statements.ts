/**
 * The statements of the bare and the fair server, the same for both databases. Whole rows
 * are read, as the service does, so that a column added to a table is read here as well.
 */

export const RELEASE = `select r.*, u.email as pilot_email, u.name as pilot_name
  from releases r left join users u on u.id = r.pilot_id
  where r.app_id = ? and r.version_major = ? and r.version_minor = ? and r.version_patch = ?`

export const STEPS = `select s.*, n.attempt, n.facts
  from release_steps s join step_runs n on n.id = s.step_run_id
  where s.release_id = ? order by s.group_index, s.position, s.id`

export const ITEMS = `select i.*, c.app_id, c.created_at as item_created_at, s.step_config_id, s.type as step_type
  from release_items i
  join checklist_items c on c.id = i.item_id
  join release_steps s on s.id = i.step_id
  where i.release_id = ? order by s.group_index, s.position, s.id, i.position, i.item_id`

export const KEY = `select k.*, o.name as organization_name
  from api_keys k join organizations o on o.id = k.organization_id where k.id = ?`

export const APP = 'select * from apps where id = ? and organization_id = ?'

export const SET_STATUS = `update release_items
  set status = ?, status_updated_at = ?, status_updated_by = ?, updated_at = ?
  where release_id = ? and item_id = ?`

export const TAKE_NUMBERS = `update bench_counters set sequence = sequence + ?
  where organization_id = ? returning sequence`

export const ADD_EVENT = `insert into bench_events
  (id, organization_id, type, occurred_at, app_id, release_id, sequence, payload)
  values (?, ?, ?, ?, ?, ?, ?, ?)`

/** Numbers and events of the fair server, beside those of the service. */
export const TABLES = [
  `create table if not exists bench_counters (
    organization_id varchar(64) primary key, sequence bigint not null)`,
  `create table if not exists bench_events (
    id varchar(64) primary key, organization_id varchar(64) not null, type varchar(64) not null,
    occurred_at varchar(24) not null, app_id varchar(100) not null, release_id varchar(64) not null,
    sequence bigint not null, payload text not null, unique (organization_id, sequence))`,
  `insert into bench_counters select id, 0 from organizations where true on conflict do nothing`,
]
