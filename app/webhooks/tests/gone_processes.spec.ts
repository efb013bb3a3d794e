import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { TestContext } from '@japa/runner/core'
import { isPostgres } from '#foundation/core/database/connections'
import { startWorker, type RunningWorker } from '#tests/support/processes'
import { Receiver } from './support/receiver.js'
import { Stage } from './support/stage.js'
import { isLong } from '#tests/support/effort'

/*
 * Real workers that are killed, suspended or shut down during an attempt. Leases last a minute,
 * which is longer than the tests.
 */

const LASTS_MS = 50_000
const settings = { LOG_LEVEL: 'warn', SHUTDOWN_GRACE: '1' }
const rounds = isLong ? 6 : 1

/** Makes an endpoint whose receiver does not answer until it is told to. */
async function hanging(cleanup: TestContext['cleanup']) {
  const stage = await Stage.set()
  const receiver = await new Receiver(() => {}).start()
  cleanup(() => receiver.stop())
  const { row } = await stage.endpoint(receiver.url, { timeoutSeconds: 30 })
  const workers: RunningWorker[] = []
  cleanup(async () => void (await Promise.all(workers.map((each) => each.kill()))))
  const start = async () => {
    const worker = await startWorker(settings)
    workers.push(worker)
    return worker
  }
  let held: ServerResponse
  const until = async (isSo: () => boolean | Promise<boolean>) => {
    while (!(await isSo())) await pause(20)
  }
  return {
    stage,
    receiver,
    start,
    /** Records an event whose attempt hangs. */
    async begin() {
      receiver.reply = (_received, response) => void (held = response)
      const before = receiver.received.length
      await stage.record({})
      await until(() => receiver.received.length > before)
      return receiver.received.at(-1)!.payload.id
    },
    answerHeld: () => held.writeHead(204).end(),
    delivered: (eventId: string) =>
      until(async () => {
        const { status } = await db
          .from('webhook_deliveries')
          .where({ event_id: eventId, endpoint_id: row.id })
          .firstOrFail()
        return status === 'succeeded'
      }),
    async attemptsAt(eventId: string) {
      const { id } = await db.from('webhook_deliveries').where('event_id', eventId).firstOrFail()
      return (await stage.attempts(id)).length
    },
    until,
  }
}

test.group('An attempt of a worker', () => {
  test('is repeated by the next worker if it is killed, long before the lease ends', async ({
    assert,
    cleanup,
  }) => {
    const { receiver, start, begin, delivered, attemptsAt } = await hanging(cleanup)
    let worker = await start()
    for (let round = 0; round < rounds; round++) {
      const event = await begin()
      // SQLite allows one worker: the next one starts when the first is gone.
      const other = isPostgres(db as never) ? await start() : null
      await worker.kill()
      receiver.answer(204)
      const next = other ?? (await start())
      await delivered(event)
      assert.equal(await attemptsAt(event), 1)
      worker = next
    }
    assert.equal((await worker.stop()).code, 0)
  }).timeout(rounds * LASTS_MS)

  test('is handed back at a shutdown, after the grace period', async ({ assert, cleanup }) => {
    const { receiver, start, begin, delivered } = await hanging(cleanup)
    const worker = await start()
    const event = await begin()
    assert.equal((await worker.stop()).code, 0)
    assert.lengthOf(await db.from('service_processes').whereNull('gone_at'), 0)
    receiver.answer(204)
    const next = await start()
    await delivered(event)
    assert.equal((await next.stop()).code, 0)
  }).timeout(LASTS_MS)

  if (isPostgres(db as never)) {
    test('is repeated by another worker if it is suspended, and its own outcome is discarded', async ({
      assert,
      cleanup,
    }) => {
      const stopped = await hanging(cleanup)
      const { receiver, start, begin, delivered, attemptsAt, answerHeld, until } = stopped
      const worker = await start()
      for (let round = 0; round < rounds; round++) {
        const event = await begin()
        const other = await start()
        worker.signal('SIGSTOP')
        receiver.answer(204)
        await delivered(event)
        const logged = worker.errorOutput().length
        const answered = receiver.open
        // The held delivery succeeds late; another worker has recorded it already.
        answerHeld()
        worker.signal('SIGCONT')
        const isReported = () => worker.errorOutput().slice(logged).includes('presumed gone')
        await until(() => isReported() && receiver.open < answered)
        await pause(300)
        assert.equal(await attemptsAt(event), 1)
        // The resumed worker works again.
        await other.kill()
        const next = await begin()
        answerHeld()
        await delivered(next)
      }
    }).timeout(rounds * 2 * LASTS_MS)
  }
})
