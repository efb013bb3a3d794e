import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { VirtualClock, later } from '#foundation/core/clock'
import { clock } from '#foundation/core/services'
import { changesOf } from '#tests/support/changed_rows'
import { makeApp } from '#tests/support/app_fixture'
import { installIntegration } from '#tests/support/custom_integrations'
import { makeWorld } from '#tests/support/world'
import { DELIVERIES_KEPT_FOR } from '#integrations/callbacks/take_callback'
import { PruneCalls } from '#integrations/port/prune_calls'

const DELIVERIES = 1100
/** Rows that a transaction removes at most. */
const MAX_ENTRIES = 500

test.group('Many callbacks of providers', () => {
  test('are deleted in batches', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const integration = await installIntegration(world, app, 'generic-ci')
    await db.from('callback_deliveries').delete()
    const [old, fresh] = [later(clock.now(), -DELIVERIES_KEPT_FOR - 1000), clock.now()]
    const rows = Array.from({ length: DELIVERIES + 1 }, (_, index) => ({
      organization_id: world.organizationId,
      address_id: integration,
      delivery_key: `key-${index}`,
      received_at: index < DELIVERIES ? old : fresh,
    }))
    while (rows.length > 0) {
      await db.table('callback_deliveries').multiInsert(rows.splice(0, 100))
    }
    const pruning = new PruneCalls(db as never, new VirtualClock(fresh))
    const changed = await changesOf('callback_deliveries', () => pruning.run())
    assert.deepEqual(changed, [MAX_ENTRIES, MAX_ENTRIES, DELIVERIES - 2 * MAX_ENTRIES])
    const left = await db.from('callback_deliveries').where('address_id', integration)
    assert.deepEqual(
      left.map(({ delivery_key: key }) => key),
      [`key-${DELIVERIES}`]
    )
  })
})
