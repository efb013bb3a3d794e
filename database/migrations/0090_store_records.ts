import { BaseSchema } from '@adonisjs/lucid/schema'

const UPGRADED =
  'The service was upgraded while the store was asked. See what the store shows, and decide again.'

/**
 * Gives a decision of before a generation. A stop that was under way is still wanted; all else
 * that was is for a person to decide again.
 */
function numbered(text: string | null): string | null {
  if (text === null) return null
  const decision = JSON.parse(text)
  const isStop = ['halt', 'pause'].includes(decision.to?.action)
  const isOpen = decision.is === 'underWay' && !isStop
  const ended = isOpen ? { is: 'failed', reason: UPGRADED } : {}
  return JSON.stringify({ ...decision, generation: 0, ...ended })
}

/** One record for each store: the generation of its decisions, and what it was asked. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('store_records', (table) => {
      table.string('id', 64).primary()
      table
        .string('organization_id', 64)
        .notNullable()
        .references('organizations.id')
        .onDelete('CASCADE')
      table.string('plugin_id', 64).notNullable()
      table.string('bundle_id', 255).notNullable()
      table.string('platform', 16).notNullable()
      table.integer('generation').notNullable()
      table.integer('lag_seconds').notNullable()
      table.string('polled_at', 24)
      // JSON: reads that failed; calls that may still arrive and the last of each decision; versions of no release.
      table.text('poll_failure')
      table.text('calls').notNullable()
      table.text('others').notNullable()
      table.string('updated_at', 24).notNullable()
      table.unique(['organization_id', 'plugin_id', 'bundle_id', 'platform'])
    })
    this.schema.createTable('store_members', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('integration_id', 64).primary().references('integrations.id').onDelete('CASCADE')
      table.string('store_id', 64).notNullable().references('store_records.id').onDelete('CASCADE')
      table.index(['store_id'])
    })
    this.schema.alterTable('app_store_versions', (table) => {
      table.text('past').notNullable().defaultTo('[]')
      table.boolean('is_over').notNullable().defaultTo(false)
    })
    // Calls that were planned one by one: reconciling a store plans what is still to be done.
    this.defer(async (db) => {
      await db.from('agenda_entries').whereIn('kind', ['store.bring', 'store.checkStop']).delete()
      const rows = await db.from('store_plans').select('id', 'wanted', 'rollout')
      for (const { id, wanted, rollout } of rows) {
        const values = { wanted: numbered(wanted), rollout: numbered(rollout) }
        await db.from('store_plans').where('id', id).update(values)
      }
    })
  }

  override async down() {
    this.schema.alterTable('app_store_versions', (table) => {
      table.dropColumn('past')
      table.dropColumn('is_over')
    })
    this.schema.dropTable('store_members')
    this.schema.dropTable('store_records')
  }
}
