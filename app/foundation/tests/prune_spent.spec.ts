import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { VirtualClock } from '../core/clock.js'
import { PruneExpired } from '../api/execution/prune_expired.js'
import { HOUR, MINUTE } from '../core/durations.js'
import { randomText } from '../core/ids.js'
import { makeWorld } from '#tests/support/world'

test.group('Traces of requests', () => {
  test('are pruned once they have no effect any more, and not before', async ({ assert }) => {
    const { organizationId } = await makeWorld()
    // Long ago, so that no row of other tests is old enough.
    const clock = new VirtualClock('2020-01-01T00:00:00.000Z')
    const key = randomText(12)
    await db.table('idempotency_keys').insert({
      organization_id: organizationId,
      idempotency_key: key,
      method: 'POST',
      route: '/x',
      fingerprint: '',
      status: 200,
      headers: '{}',
      body: '',
      created_at: clock.now(),
    })
    const expire = clock.milliseconds() + HOUR
    await db.table('rate_limits').insert([
      { key: `${key}-hour`, points: 1, expire },
      { key: `${key}-ever`, points: 1, expire: null },
    ])
    const counted = { times: '{}', totals: '{}', day: 0, of_day: 1, per_day: 1, granted: 1 }
    await db.table('request_counts').insert({ key, ...counted, counted_at: clock.milliseconds() })

    const countAfterPruning = async () => {
      await new PruneExpired(db as never, clock).run()
      const [results, limits, bursts] = await Promise.all([
        db.from('idempotency_keys').where('idempotency_key', key),
        db.from('rate_limits').whereLike('key', `${key}%`),
        db.from('request_counts').where('key', key),
      ])
      return [results.length, limits.length, bursts.length]
    }
    assert.deepEqual(await countAfterPruning(), [1, 2, 1])
    clock.advance(2 * MINUTE)
    assert.deepEqual(await countAfterPruning(), [1, 2, 1])
    clock.advance(HOUR)
    assert.deepEqual(await countAfterPruning(), [1, 1, 1])
    clock.advance(46 * HOUR)
    assert.deepEqual(await countAfterPruning(), [1, 1, 0])
    clock.advance(HOUR)
    assert.deepEqual(await countAfterPruning(), [0, 1, 0])
    await db.from('rate_limits').where('key', `${key}-ever`).delete()
  })
})
