import { BaseSchema } from '@adonisjs/lucid/schema'
import { shareStores } from '#database/share_stores'

/**
 * A package on Google Play has one record, whatever its apps run on. A plan keeps how its version
 * was submitted.
 */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('store_plans', (table) => table.text('submitted_as'))
    this.defer(async (client) => {
      const plans = await client.from('store_plans').whereNotNull('wanted').select('id', 'wanted')
      for (const { id, wanted } of plans) {
        const { how = null } = JSON.parse(wanted)
        if (how === null) continue
        const values = { submitted_as: JSON.stringify(how) }
        await client.from('store_plans').where('id', id).update(values)
      }
      await shareStores(client)
    })
  }

  /** One record cannot be divided; both platforms read it. */
  override async down() {
    this.schema.alterTable('store_plans', (table) => table.dropColumn('submitted_as'))
  }
}
