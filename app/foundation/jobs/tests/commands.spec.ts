import { setImmediate as turn } from 'node:timers/promises'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { later } from '#foundation/core/clock'
import { selects } from '#foundation/core/services'
import type { Scope } from '#foundation/core/scope'
import { MAX_EACH, ROOM } from '../share_out.js'
import { onCommand, type Job, type Outcome } from '../handlers.js'
import { LEASE, MINUTE, Stage, order } from './support/stage.js'
import { fact, facts, note, policy } from './support/facts.js'

/** A provider that records its calls and applies them. */
class Provider {
  readonly calls: string[] = []
  readonly finds: string[] = []
  readonly applied = new Set<string>()
  answers: (Outcome<string> | 'lost' | 'refused')[] = []
  /** The caller that gets the answers; the first caller by default. */
  answersTo: string | null = null

  call = async ({ idempotencyKey }: Job): Promise<Outcome<string>> => {
    this.calls.push(idempotencyKey)
    const isMeant = this.answersTo === null || this.answersTo === idempotencyKey
    const result = (isMeant && this.answers.shift()) || 'applied'
    if (result === 'refused') throw new Error('connection refused')
    if (typeof result === 'object') return result
    this.applied.add(idempotencyKey)
    if (result === 'lost') throw new Error('connection lost')
    return { outcome: 'applied', result: idempotencyKey }
  }

  find = async ({ idempotencyKey }: Job): Promise<Outcome<string>> => {
    this.finds.push(idempotencyKey)
    if (this.applied.has(idempotencyKey)) return { outcome: 'applied', result: 'found' }
    return { outcome: 'notApplied', reason: 'There is none' }
  }
}

const respond = async (scope: Scope, { payload }: Job<{ note: string }>, got: string) =>
  fact(scope, `${payload.note}: ${got}`)

const command = (stage: Stage, name: string, entityKey?: string) =>
  stage.write((scope) =>
    scope.jobs.command(order, {
      subject: 'one',
      idempotencyKey: name,
      entityKey,
      payload: note(name),
    })
  )

async function commanding(provider: Provider, isRepeatable = false): Promise<Stage> {
  const asking = isRepeatable ? { isRepeatable: true as const } : { find: provider.find }
  return Stage.set(
    onCommand(order, {
      ...policy,
      ...asking,
      call: provider.call,
      storeResult: respond,
      afterLast: async (scope, _job, reason) => fact(scope, `gave up: ${reason}`),
    })
  )
}

/** Claims the due command like a worker that dies right after. */
async function die(stage: Stage): Promise<void> {
  const { ClaimJobs } = await import('../claim_jobs.js')
  const claims = new ClaimJobs(db as never, selects, stage.clock, stage.works)
  const { claimed } = await claims.handle('command', 8, new Map())
  if (claimed.length !== 1) throw new Error('There was nothing to claim')
}

test.group('A command', () => {
  test('is called outside of a transaction with its key, and its answer becomes a fact', async ({
    assert,
  }) => {
    const provider = new Provider()
    const stage = await commanding(provider)
    await command(stage, 'a')
    await stage.pass(0)
    assert.deepEqual(provider.calls, ['a'])
    assert.deepEqual(await facts(stage), ['a: a'])
    assert.containsSubset((await stage.jobs())[0], { state: 'done', visible_at: null, doubts: 0 })
    await command(stage, 'a')
    assert.equal(await stage.pass(MINUTE), 0)
  })

  test('is called again in steps if it was not applied, and later if the provider asks for it', async ({
    assert,
  }) => {
    const provider = new Provider()
    provider.answers = [
      { outcome: 'notApplied', reason: 'busy' },
      { outcome: 'notApplied', reason: 'busy', retryAfterMs: 5 * MINUTE },
    ]
    const stage = await commanding(provider)
    await command(stage, 'a')
    await stage.pass(0)
    await stage.pass(MINUTE)
    assert.equal(await stage.pass(2 * MINUTE), 0)
    assert.equal(await stage.pass(3 * MINUTE), 1)
    assert.deepEqual(provider.calls, ['a', 'a', 'a'])
    assert.deepEqual(provider.finds, [])
    assert.deepEqual(await facts(stage), ['a: a'])
  })

  test('is repeated any number of times if it was too early, and stores what it waits for', async ({
    assert,
  }) => {
    const provider = new Provider()
    const early = { outcome: 'notApplied', reason: 'being copied', isEarly: true } as const
    provider.answers = [early, early, early, { ...early, retryAfterMs: 5 * MINUTE }]
    const stage = await commanding(provider)
    await command(stage, 'a')
    for (const wait of [0, MINUTE, MINUTE, MINUTE]) assert.equal(await stage.pass(wait), 1)
    assert.containsSubset((await stage.jobs())[0], {
      state: 'planned',
      attempts: 0,
      doubts: 0,
      last_error: 'being copied',
    })
    assert.equal(await stage.pass(4 * MINUTE), 0)
    await stage.pass(MINUTE)
    assert.lengthOf(provider.calls, 5)
    assert.deepEqual(provider.finds, [])
    assert.deepEqual(await facts(stage), ['a: a'])
  })

  test('is given up at once if it can never be applied', async ({ assert }) => {
    const provider = new Provider()
    provider.answers = [{ outcome: 'notApplied', reason: 'no such app', isFinal: true }]
    const stage = await commanding(provider)
    await command(stage, 'a')
    await stage.pass(0)
    assert.deepEqual(await facts(stage), ['gave up: no such app'])
    assert.equal(await stage.pass(100 * MINUTE), 0)
  })

  test('is looked up before it is repeated if its effect is unknown', async ({ assert }) => {
    for (const [lost, calls] of [
      ['lost', ['a']],
      ['refused', ['a', 'a']],
    ] as const) {
      const provider = new Provider()
      provider.answers = [lost]
      const stage = await commanding(provider)
      await command(stage, 'a')
      await stage.pass(0)
      await stage.pass(MINUTE)
      assert.deepEqual(provider.calls, [...calls])
      assert.deepEqual(provider.finds, ['a'])
      assert.deepEqual(await facts(stage), [lost === 'lost' ? 'a: found' : 'a: a'])
    }
  })

  test('is given up after the last attempt even if its effect is unknown', async ({ assert }) => {
    const provider = new Provider()
    provider.answers = ['refused', 'refused', 'refused']
    const stage = await commanding(provider)
    await command(stage, 'a')
    for (const wait of [0, MINUTE, 2 * MINUTE]) await stage.pass(wait)
    assert.lengthOf(provider.calls, 3)
    assert.deepEqual(await facts(stage), ['gave up: connection refused'])
  })

  test('is looked up after its worker died, or repeated with the same key if it is repeatable', async ({
    assert,
  }) => {
    for (const isRepeatable of [false, true]) {
      const provider = new Provider()
      const stage = await commanding(provider, isRepeatable)
      await command(stage, 'a')
      await die(stage)
      provider.applied.add('a')
      await stage.pass(LEASE)
      assert.lengthOf(provider.finds, isRepeatable ? 0 : 1)
      assert.lengthOf(provider.calls, isRepeatable ? 1 : 0)
      assert.lengthOf(await facts(stage), 1)
    }
  })

  test('is looked up once more and given up if its worker died in every attempt', async ({
    assert,
  }) => {
    const provider = new Provider()
    const stage = await commanding(provider)
    await command(stage, 'a')
    for (let attempt = 0; attempt < 3; attempt++) {
      await die(stage)
      stage.clock.advance(LEASE)
    }
    await stage.pass(0)
    assert.deepEqual([provider.finds, provider.calls], [['a'], []])
    assert.deepEqual(await facts(stage), ['gave up: The last attempt never ended'])
  })

  test('is looked up if its answer could not be stored, and the files of the answer are discarded', async ({
    assert,
  }) => {
    const provider = new Provider()
    const discarded: string[] = []
    let cannotStore = true
    const stage = await Stage.set(
      onCommand(order, {
        ...policy,
        find: provider.find,
        call: provider.call,
        async storeResult(scope: Scope, job: Job<{ note: string }>, got: string) {
          await respond(scope, job, got)
          if (cannotStore) throw new Error('not stored')
          return 'named'
        },
        isKept: (kept) => kept === 'named',
        discard: async (got) => void discarded.push(got),
      })
    )
    await command(stage, 'a')
    await stage.pass(0)
    assert.deepEqual([discarded, await facts(stage)], [['a'], []])
    cannotStore = false
    await stage.pass(MINUTE)
    assert.deepEqual([discarded, await facts(stage)], [['a'], ['a: found']])
    assert.deepEqual(provider.calls, ['a'])
  })

  test('waits for earlier commands of its entity, whatever their outcome, but not for others', async ({
    assert,
  }) => {
    const provider = new Provider()
    const stage = await commanding(provider)
    provider.answersTo = 'a'
    provider.answers = [{ outcome: 'notApplied', reason: 'busy' }]
    for (const name of ['a', 'b', 'c']) await command(stage, name, 'release:1')
    await command(stage, 'other', 'release:2')
    await command(stage, 'free')
    await stage.pass(0)
    assert.deepEqual(provider.calls.toSorted(), ['a', 'free', 'other'])
    assert.deepEqual(
      (await stage.jobs()).slice(0, 3).map(({ state }) => state),
      ['planned', 'behind', 'behind']
    )
    provider.answers = [{ outcome: 'notApplied', reason: 'gone', isFinal: true }]
    await stage.pass(MINUTE)
    assert.deepEqual(provider.calls.slice(3), ['a', 'b', 'c'])
    const reported = ['other: other', 'free: free', 'gave up: gone', 'b: b', 'c: c']
    assert.sameMembers(await facts(stage), reported)
  })

  test('is carried out if it is urgent, even while all other running commands hang', async ({
    assert,
  }) => {
    const called: string[] = []
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const stage = await Stage.set(
      onCommand(order, {
        ...policy,
        isRepeatable: true,
        async call({ payload: { note: name } }) {
          called.push(name)
          if (name !== 'stop') await held
          return { outcome: 'applied', result: name }
        },
        storeResult: respond,
      })
    )
    for (let index = 0; index < 2 * ROOM.command; index++) await command(stage, `hangs ${index}`)
    const turns = [stage.worker.turn()]
    while (called.length < MAX_EACH.command) await turn()
    await stage.write((scope) =>
      scope.jobs.command(order, { subject: 'two', isUrgent: true, payload: note('stop') })
    )
    turns.push(stage.worker.turn())
    while (!called.includes('stop')) await turn()
    assert.lengthOf(called, MAX_EACH.command + 1)
    letGo()
    await Promise.all(turns)
    assert.include(await facts(stage), 'stop: stop')
    const rows = await stage.jobs()
    assert.isTrue(rows.every(({ state }) => state === 'done'))
  }).timeout(10_000)

  test('lets the next command of its entity run when it is cancelled', async ({ assert }) => {
    const provider = new Provider()
    const stage = await commanding(provider)
    const at = later(stage.clock.now(), MINUTE)
    await stage.write((scope) =>
      scope.jobs.command(order, { subject: 'x', at, entityKey: 'e', payload: note('x') })
    )
    await command(stage, 'b', 'e')
    assert.equal(await stage.pass(0), 0)
    await stage.write((scope) => scope.jobs.cancel(order, 'x'))
    await stage.pass(0)
    assert.deepEqual(provider.calls, ['b'])
  })
})
