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
 * Real workers that are killed, stopped or ended in the middle of an attempt. Leases last for a
 * minute, and the tests for less.
 */

const LASTS_MS = 50_000
const settings = { LOG_LEVEL: 'warn', SHUTDOWN_GRACE: '1' }
const rounds = isLong ? 6 : 1

/** An endpoint whose receiver does not answer until it is released. */
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
    /** An event whose attempt hangs at whoever works. */
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

test.group('What a worker was at', () => {
  test('that is killed is made by the next, long before the lease is over', async ({
    assert,
    cleanup,
  }) => {
    const { receiver, start, begin, delivered, attemptsAt } = await hanging(cleanup)
    let worker = await start()
    for (let round = 0; round < rounds; round++) {
      const event = await begin()
      // SQLite is for one that works: the next begins when the first is gone.
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

  test('that is ended is handed back when its grace is over', async ({ assert, cleanup }) => {
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
    test('that is stopped is made by another, and nothing that it brings later is stored', async ({
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
        const said = worker.said().length
        const answered = receiver.open
        // The held delivery succeeds late; another worker has recorded it already.
        answerHeld()
        worker.signal('SIGCONT')
        const isReported = () => worker.said().slice(said).includes('taken for gone')
        await until(() => isReported() && receiver.open < answered)
        await pause(300)
        assert.equal(await attemptsAt(event), 1)
        // It begins anew, and works.
        await other.kill()
        const next = await begin()
        answerHeld()
        await delivered(next)
      }
    }).timeout(rounds * 2 * LASTS_MS)
  }
})
