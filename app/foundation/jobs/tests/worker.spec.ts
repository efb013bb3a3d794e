import { setTimeout as pause } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { makeWorld } from '#tests/support/world'
import type { Claim } from '#foundation/core/jobs/ends'
import { SystemClock, VirtualClock } from '#foundation/core/clock'
import { alone } from '#foundation/core/processes/presence'
import { selects } from '#foundation/core/services'
import { Trouble } from '#foundation/core/trouble'
import { ClaimJobs } from '../claim_jobs.js'
import { onTime, onCommand, type Outcome } from '../handlers.js'
import { Settling } from '../settling.js'
import { MAX_EACH, ROOM } from '../share_out.js'
import { Worker, type WorkerDependencies } from '../worker.js'
import { LEASE, MINUTE, Stage, order, ring } from './support/stage.js'

const until = async (condition: () => boolean) => {
  while (!condition()) await pause(5)
}

const applied: Outcome<string> = { outcome: 'applied', result: 'yes' }

/** Returns a stage whose commands run the given function, with some commands planned. */
async function calling(
  call: (signal: AbortSignal) => Promise<Outcome<string>>,
  { lease = LEASE, commands = 1 } = {}
) {
  const counts = { calls: 0, open: 0, most: 0, answers: 0 }
  const stage = await Stage.set(
    onCommand(order, {
      actor: 'test',
      lease,
      retry: { steps: [MINUTE] },
      isRepeatable: true,
      async call(_job, { signal }) {
        counts.calls += 1
        counts.most = Math.max(counts.most, ++counts.open)
        try {
          return await call(signal)
        } finally {
          counts.open -= 1
        }
      },
      storeResult: async () => void (counts.answers += 1),
    })
  )
  await stage.write(async (scope) => {
    for (let index = 0; index < commands; index++) {
      await scope.jobs.command(order, { subject: 'one', payload: { note: '' } })
    }
  })
  return { stage, counts }
}

test.group('A worker that stops', () => {
  test('claims nothing more and lets running calls finish within the grace period', async ({
    assert,
  }) => {
    let result = () => {}
    const { stage, counts } = await calling(
      () => new Promise((resolve) => (result = () => resolve(applied)))
    )
    stage.worker.start()
    await until(() => counts.open > 0)
    const ended = stage.worker.stop(10_000)
    await stage.write((scope) => scope.jobs.command(order, { subject: 'x', payload: { note: '' } }))
    result()
    await ended
    assert.equal(counts.answers, 1)
    assert.deepEqual(
      (await stage.jobs()).map(({ state, attempts }) => [state, attempts]),
      [
        ['done', 1],
        ['planned', 0],
      ]
    )
  })

  test('aborts calls that are not done by then: the attempt does not count, and the job is in doubt', async ({
    assert,
  }) => {
    for (const heedsSignal of [true, false]) {
      let isCut = false
      const { stage, counts } = await calling((signal) => {
        if (isCut) return Promise.resolve(applied)
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            isCut = true
            if (heedsSignal) reject(new Error('aborted'))
          })
        })
      })
      stage.worker.start()
      await until(() => counts.open > 0)
      await stage.worker.stop(10)
      const [row] = await stage.jobs()
      const now = stage.clock.now()
      assert.containsSubset(row, {
        state: 'planned',
        attempts: 0,
        doubts: 1,
        claim_id: null,
        visible_at: now,
      })
      await stage.another().turn()
      assert.deepEqual([counts.calls, counts.answers], [2, 1])
    }
  })
})

test.group('A call', () => {
  test('that takes nearly as long as its lease is aborted, and its job is in doubt', async ({
    assert,
  }) => {
    const { stage } = await calling(() => new Promise(() => {}), { lease: 40 })
    await stage.worker.turn()
    assert.containsSubset((await stage.jobs())[0], {
      state: 'planned',
      attempts: 1,
      doubts: 1,
      last_error: 'It did not finish in time',
    })
  })

  test('is one of a limited number at a time', async ({ assert }) => {
    const { stage, counts } = await calling(() => pause(5).then(() => applied), { commands: 30 })
    assert.equal(await stage.worker.turn(), 30)
    assert.equal(counts.answers, 30)
    assert.isAtMost(counts.most, ROOM.command)
    assert.isAbove(counts.most, 1)
  })
})

test.group('Calls that do not end', () => {
  test('delay no timer and no call of another organization', async ({ assert }) => {
    let isOver = false
    const { stage, counts } = await calling(
      async () => {
        while (!isOver) await pause(5)
        return applied
      },
      { commands: 3 * ROOM.command }
    )
    const rung: string[] = []
    stage.works.add([
      onTime(ring, {
        actor: 'test',
        lease: LEASE,
        retry: { steps: [] },
        act: async (_scope, { subject }) => rung.push(subject),
      }),
    ])
    stage.worker.start()
    await until(() => counts.open === MAX_EACH.command)
    const other = await makeWorld()
    await stage.write(async (scope) => {
      await scope.jobs.plan(ring, { subject: 'bell', payload: { note: '' } })
      await scope.jobs.command(order, { subject: 'other', payload: { note: '' } })
    }, other)
    await until(() => rung.length === 1 && counts.open > MAX_EACH.command)
    isOver = true
    await until(() => counts.answers === 3 * ROOM.command + 1)
    await stage.worker.stop(1000)
    assert.isAtMost(counts.most, ROOM.command)
  })
})

test.group('The loop of a worker', () => {
  /** Makes a worker with stubbed dependencies, one due command, and claims that fail some times. */
  function staged(failures = { claims: 0 }) {
    const counts = { looks: 0, claims: 0, chores: 0, reach: 0, carried: 0, logged: [] as string[] }
    const clock = new VirtualClock('2026-11-20T18:50:14.123Z')
    const speak = (_about: unknown, message?: string) =>
      void counts.logged.push(message ?? String(_about))
    const logger = { info: speak, warn: speak, error: speak } as never
    const stopping = new AbortController()
    const due: { command: string | null } = { command: clock.now() }
    const claim = { id: 'job', nature: 'command', kind: 'x', organizationId: 'org' } as Claim
    const dependencies: WorkerDependencies = {
      looks: {
        handle: async () => {
          counts.looks += 1
          return { timer: null, urgent: null, observation: null, chore: null, ...due }
        },
      },
      claims: {
        handle: async () => {
          counts.claims += 1
          if (failures.claims-- > 0) throw new Error('not stored')
          due.command = null
          return { claimed: [claim], hasMore: false }
        },
      },
      carryOut: { handle: async () => void (counts.carried += 1) },
      chores: { handle: async () => void (counts.chores += 1) },
      reach: { handle: async () => void (counts.reach += 1) },
      presence: alone,
      trouble: new Trouble('workers', logger),
      clock,
      logger,
      stopping,
    }
    return { worker: new Worker(dependencies), counts, due, clock }
  }

  test('looks again when it is woken, and claims only what is due', async ({ assert }) => {
    const { worker, counts, due, clock } = staged()
    due.command = null
    worker.start()
    await until(() => counts.looks === 1)
    worker.wake()
    await until(() => counts.looks === 2)
    assert.equal(counts.claims, 0)
    due.command = clock.now()
    await pause(30)
    worker.wake()
    await until(() => counts.carried === 1)
    await worker.stop(100)
    assert.deepEqual([counts.claims, counts.chores], [1, 1])
  })

  test('looks when something comes due', async ({ assert }) => {
    const { worker, counts, due, clock } = staged()
    due.command = '2026-11-20T18:50:14.173Z'
    worker.start()
    await until(() => counts.looks === 1)
    clock.advance(50)
    await until(() => counts.carried === 1)
    const looks = counts.looks
    due.command = clock.now()
    await until(() => counts.carried === 2)
    assert.isAtMost(counts.looks, looks + 4)
    await worker.stop(100)
  })

  test('corrects stored times at its start, and after the clock was set back', async ({
    assert,
  }) => {
    const { worker, counts, due, clock } = staged()
    due.command = null
    const look = async (milliseconds: number) => {
      clock.advance(milliseconds)
      const { looks } = counts
      await pause(30)
      worker.wake()
      await until(() => counts.looks > looks)
    }
    worker.start()
    await until(() => counts.looks === 1)
    await look(MINUTE)
    assert.deepEqual([counts.chores, counts.reach], [1, 1])
    await look(-2 * MINUTE)
    await look(MINUTE)
    await worker.stop(100)
    assert.deepEqual([counts.chores, counts.reach], [2, 2])
  })

  test('waits while the database stores nothing, even if it is woken, and logs that once', async ({
    assert,
  }) => {
    const { worker, counts } = staged({ claims: 1 })
    worker.start()
    await until(() => counts.logged.length > 0)
    for (let count = 0; count < 10; count++) {
      worker.wake()
      await pause(25)
    }
    assert.deepEqual([counts.claims, counts.carried], [1, 0])
    await until(() => counts.carried === 1)
    await worker.stop(100)
    assert.deepEqual(counts.logged, [
      'The workers cannot use the database; nothing is sent until they can',
      'The workers can use the database again',
    ])
  }).timeout(10_000)

  test('stops without waiting for the database to come back', async ({ assert }) => {
    const { worker, counts } = staged({ claims: 1000 })
    worker.start()
    await until(() => counts.logged.length > 0)
    await worker.stop(1000)
    assert.equal(counts.carried, 0)
  })
})

test.group('Recording the end of an attempt', () => {
  /** Makes some attempts to begin a transaction fail; returns a function that ends that. */
  function fail(times: number): () => void {
    const { client } = db.connection().getWriteClient()
    const acquire = client.acquireConnection
    client.acquireConnection = function () {
      return times-- > 0 ? Promise.reject(new Error('no room')) : acquire.call(client)
    }
    return () => void (client.acquireConnection = acquire)
  }

  async function claimed() {
    const { stage } = await calling(async () => applied)
    const claims = new ClaimJobs(db as never, selects, stage.clock, stage.works)
    const [claim] = (await claims.handle('command', 1, new Map())).claimed
    return { stage, claim }
  }

  test('is retried until it is stored, while the lease lasts', async ({ assert, cleanup }) => {
    const { stage, claim } = await claimed()
    const logged: string[] = []
    const speak = (_about: unknown, message?: string) => void logged.push(message ?? String(_about))
    const trouble = new Trouble('workers', { info: speak, error: speak } as never)
    const { signal } = new AbortController()
    cleanup(fail(1))
    const settling = new Settling(db as never, stage.clock, trouble, signal)
    await settling.handle(claim, { how: 'done' })
    assert.equal((await stage.jobs())[0].state, 'done')
    assert.deepEqual(logged, [
      'The workers cannot use the database; nothing is sent until they can',
      'The workers can use the database again',
    ])
  }).timeout(10_000)

  test('ends with the lease, or with the process', async ({ assert, cleanup }) => {
    const { stage, claim } = await claimed()
    const quiet = { info: () => {}, error: () => {} } as never
    const settle = (clock = new SystemClock() as { now(): string }, signal: AbortSignal) =>
      new Settling(db as never, clock as never, new Trouble('workers', quiet), signal).handle(
        claim,
        { how: 'done' }
      )
    const heal = fail(100)
    cleanup(heal)
    const late = new VirtualClock(claim.visibleAt)
    await assert.rejects(() => settle(late, new AbortController().signal), /no room/)
    await assert.rejects(() => settle(stage.clock, AbortSignal.abort()), /no room/)
    heal()
    assert.equal((await stage.jobs())[0].claim_id, claim.claimId)
  })
})
