import { mock } from 'node:test'
import { test } from '@japa/runner'
import { coalesced, WAKE_INTERVAL } from '#foundation/core/coalesced'
import { ALONE, alone } from '#foundation/core/processes/presence'
import type { Claimed } from '#webhooks/delivery/endpoint_turn'
import { Dispatcher, type DispatcherDependencies } from '#webhooks/delivery/dispatcher'
import { FIRST_PAUSE, MAX_PAUSE, Trouble } from '#foundation/core/trouble'
import { MAX_SLOW, SLOW_AFTER, WORKERS, Workers } from '#webhooks/delivery/workers'
import { VirtualClock } from '#foundation/core/clock'

const NOW = '2026-11-20T18:50:14.123Z'

test.group('The workers of a process', (group) => {
  group.each.setup(() => {
    mock.timers.enable({ apis: ['setTimeout'] })
    return () => mock.timers.reset()
  })

  test('a slow attempt continues without a worker, and its end frees no worker twice', ({
    assert,
  }) => {
    let freed = 0
    const workers = new Workers(() => (freed += 1))
    const taken = Array.from({ length: WORKERS.first }, () => workers.take('first', 'org'))
    assert.deepEqual(workers.room, { first: 0, retry: WORKERS.retry })
    mock.timers.tick(SLOW_AFTER)
    assert.deepEqual(workers.room, WORKERS)
    assert.equal(freed, WORKERS.first)
    for (const worker of taken) worker.release()
    assert.deepEqual(workers.room, WORKERS)
  })

  test('an organization may have a limited number of slow attempts; others are not affected', ({
    assert,
  }) => {
    const workers = new Workers(() => {})
    const slow = Array.from({ length: MAX_SLOW.each }, () => workers.take('first', 'slow'))
    mock.timers.tick(SLOW_AFTER)
    assert.deepEqual(workers.holders, { full: ['slow'], ahead: [] })
    assert.isUndefined(slow[0].next())
    const other = workers.take('first', 'other')
    assert.deepEqual(other.next(), { first: 1, retry: 0 })
    slow[0].release()
    assert.deepEqual(workers.holders.full, [])
  })

  test('slow attempts beyond the total limit keep their workers', ({ assert }) => {
    const workers = new Workers(() => {})
    for (let count = 0; count < MAX_SLOW.all; count++) workers.take('retry', `org ${count % 50}`)
    mock.timers.tick(SLOW_AFTER)
    workers.take('retry', 'late')
    mock.timers.tick(SLOW_AFTER)
    assert.deepEqual(workers.room, { first: WORKERS.first, retry: WORKERS.retry - 1 })
  })

  test('an organization with half of the workers goes after the others', ({ assert }) => {
    const workers = new Workers(() => {})
    const half = (WORKERS.first + WORKERS.retry) / 2
    for (let count = 1; count < half; count++) workers.take('first', 'one')
    assert.deepEqual(workers.holders.ahead, [])
    workers.take('first', 'one')
    assert.deepEqual(workers.holders.ahead, ['one'])
  })

  test('a worker continues with its endpoint only while others are free', ({ assert }) => {
    const workers = new Workers(() => {})
    const [last] = Array.from({ length: WORKERS.retry }, () =>
      workers.take('retry', 'one')
    ).reverse()
    assert.isUndefined(last.next())
  })

  test('a wake-up acts at once after a quiet time, then once per interval', ({ assert }) => {
    let calls = 0
    const wake = coalesced(() => (calls += 1))
    wake()
    assert.equal(calls, 1)
    for (let count = 0; count < 100; count++) wake()
    assert.equal(calls, 1)
    mock.timers.tick(WAKE_INTERVAL)
    assert.equal(calls, 2)
    mock.timers.tick(WAKE_INTERVAL)
    assert.equal(calls, 2)
    wake()
    assert.equal(calls, 3)
  })
})

test.group('Workers whose database cannot store', () => {
  test('wait ever longer, up to half a minute, and log it once', ({ assert }) => {
    const logged: string[] = []
    let now = 0
    const log = (_about: unknown, message?: string) => logged.push(message ?? String(_about))
    const trouble = new Trouble('workers', { error: log, info: log } as never, () => now)
    const waits: number[] = []
    for (let count = 0; count < 8; count++) {
      trouble.met('looking', new Error('full'))
      trouble.met('settling', new Error('full, says another worker'))
      waits.push(trouble.wait)
      now += trouble.wait
    }
    assert.deepEqual(waits.slice(0, 3), [FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE])
    assert.equal(waits.at(-1), MAX_PAUSE)
    assert.lengthOf(logged, 1)
    // Only the second kind of success ends the trouble.
    trouble.over('looking')
    assert.lengthOf(logged, 1)
    trouble.over('settling')
    trouble.over('settling')
    assert.lengthOf(logged, 2)
    assert.equal(trouble.wait, 0)
  })

  /** Makes a dispatcher with one delivery, and a database that fails some times. */
  function staged(failures: { claims?: number; settling?: number }) {
    const counts = { claimed: 0, sent: 0, settled: 0, logged: [] as string[] }
    const log = (_about: unknown, message?: string) => counts.logged.push(message ?? String(_about))
    const remaining = { claims: 0, settling: 0, ...failures }
    const fail = (what: 'claims' | 'settling') => {
      if (remaining[what]-- > 0) throw new Error('not stored')
    }
    const claimed = {
      claimId: 'clm',
      life: ALONE,
      kind: 'first',
      delivery: { id: 'whd', lease_until: '2026-11-20T19:00:00.000Z' },
      endpoint: { id: 'whe', organization_id: 'org' },
    } as Claimed
    const settle = async () => {
      fail('settling')
      counts.settled += 1
      return { owned: true, delivered: true, notice: null, health: null, next: [] }
    }
    const dependencies = {
      work: { handle: async () => ({ events: false, recoveries: false, endpoints: true }) },
      relay: { run: async () => 0 },
      recoveries: { run: async () => 0 },
      future: { run: async () => {} },
      claims: {
        handle: async () => {
          fail('claims')
          return counts.claimed++ === 0 ? [claimed] : []
        },
      },
      attempts: {
        handle: async () => {
          counts.sent += 1
          return { kind: 'abandoned' }
        },
      },
      settling: { handle: settle, handleAll: async () => [await settle()] },
      presence: alone,
      clock: new VirtualClock(NOW),
      logger: { info: log, warn: log, error: log },
    } as unknown as DispatcherDependencies
    return { dispatcher: new Dispatcher(dependencies), counts }
  }

  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((done) => setTimeout(done, 5))
  }

  test('record an outcome later, and send nothing again', async ({ assert }) => {
    const { dispatcher, counts } = staged({ settling: 1 })
    dispatcher.start()
    await until(() => counts.settled > 0)
    await dispatcher.stop(1000)
    assert.containsSubset(counts, { sent: 1, settled: 1 })
    assert.lengthOf(counts.logged, 2)
  }).timeout(10_000)

  test('are not woken early', async ({ assert }) => {
    const { dispatcher, counts } = staged({ claims: 1 })
    dispatcher.start()
    await until(() => counts.logged.length > 0)
    for (let count = 0; count < 10; count++) {
      dispatcher.wake()
      await new Promise((done) => setTimeout(done, 25))
    }
    assert.equal(counts.claimed, 0)
    assert.lengthOf(counts.logged, 1)
    await until(() => counts.settled > 0)
    await dispatcher.stop(1000)
    assert.equal(counts.sent, 1)
  }).timeout(10_000)

  test('shut down without waiting for the database', async ({ assert }) => {
    const { dispatcher, counts } = staged({ settling: 1000 })
    dispatcher.start()
    await until(() => counts.logged.length > 0)
    await dispatcher.stop(1000)
    assert.equal(counts.settled, 0)
  }).timeout(10_000)
})
