import { BaseSchema } from '@adonisjs/lucid/schema'

/** Columns by which rows are looked for whenever what they refer to is removed, or asked for. */
const INDEXES: readonly [table: string, columns: string][] = [
  ['app_store_review_attachments', 'file_id'],
  ['app_store_review_attachments', 'release_id'],
  ['ci_build_files', 'file_id'],
  ['distribution_files', 'file_id'],
  ['api_key_apps', 'app_id'],
  ['api_key_groups', 'group_id'],
  ['calendar_feeds', 'app_id'],
  ['distribution_builds', 'app_id'],
  ['fix_requests', 'app_id'],
  ['integrations', 'destination_id'],
  ['rollout_policies', 'app_id'],
  ['rollout_policies', 'destination_id'],
  ['step_configs', 'destination_id'],
  ['webhook_recoveries', 'endpoint_id'],
  ['app_build_watches', 'integration_id'],
  // Series are read by app and name; the key that they are written by begins elsewhere.
  ['metric_series', 'app_id, name, param, version'],
]

/** Unique keys that rows refer to, led by the organization so far (see 0011_house.ts). */
const REFERRED = [
  'connections',
  'integrations',
  'webhook_deliveries',
  'webhook_endpoints',
  'webhook_recoveries',
]

const nameOf = (table: string, columns: string) =>
  `${table}_${columns.split(', ').slice(0, 2).join('_')}_lookup`

/** Rows that refer to others are found without a look at all of them. */
export default class extends BaseSchema {
  override async up() {
    for (const [table, columns] of INDEXES) {
      this.schema.raw(`create index ${nameOf(table, columns)} on ${table} (${columns})`)
    }
    this.#turn(['organization_id', 'id'], ['id', 'organization_id'])
  }

  override async down() {
    for (const [table, columns] of INDEXES) {
      this.schema.raw(`drop index ${nameOf(table, columns)}`)
    }
    this.#turn(['id', 'organization_id'], ['organization_id', 'id'])
  }

  /** On SQLite: led by the organization, they draw it to read all of its rows; led by the id, one. */
  #turn(from: readonly string[], to: readonly string[]) {
    if (this.db.dialect.name === 'postgres') return
    for (const table of REFERRED) {
      this.schema.raw(`drop index ${table}_${from.join('_')}_unique`)
      this.schema.raw(
        `create unique index ${table}_${to.join('_')}_unique on ${table} (${to.join(', ')})`
      )
    }
  }
}
