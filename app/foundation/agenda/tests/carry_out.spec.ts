import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { later } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import { onObservation, onTime, onWish, type Entry, type Outcome, type Seen } from '../handlers.js'
import { LEASE, MINUTE, SECOND, Stage, order, ring, watch } from './support/stage.js'

const note = (text: string) => ({ note: text })
const policy = { actor: 'test', lease: LEASE, retry: { steps: [MINUTE, 2 * MINUTE] } }

/** A fact that is stored with its transaction or not at all. */
const fact = (scope: Scope, title: string) =>
  scope.events.record({ type: 'test.fact', entityKey: 'test', title })

/** In no certain order: rows without a sequence have none. */
async function facts({ world }: Stage): Promise<string[]> {
  const rows = await db
    .from('events')
    .where({ organization_id: world.organizationId, type: 'test.fact' })
  return rows.map(({ title }) => title)
}

const plan = (stage: Stage, wait = 0) =>
  stage.write((scope) =>
    scope.agenda.plan(ring, {
      subject: 'one',
      at: later(scope.now, wait),
      payload: note('a'),
    })
  )

test.group('A timer', () => {
  test('acts at its time, not before, and once', async ({ assert }) => {
    const stage = await Stage.set(
      onTime(ring, { ...policy, act: async (scope, { payload }) => fact(scope, payload.note) })
    )
    await plan(stage, MINUTE)
    assert.equal(await stage.pass(MINUTE - 1), 0)
    assert.equal(await stage.pass(1), 1)
    assert.equal(await stage.pass(10 * MINUTE), 0)
    assert.deepEqual(await facts(stage), ['a'])
    assert.lengthOf(await stage.entries(), 0)
  })

  test('what it did in an attempt that failed is undone; it is tried again in steps', async ({
    assert,
  }) => {
    let attempts = 0
    const stage = await Stage.set(
      onTime(ring, {
        ...policy,
        async act(scope, { attempt }) {
          attempts += 1
          fact(scope, `attempt ${attempt}`)
          if (attempt < 3) throw new Error('not yet')
        },
      })
    )
    await plan(stage)
    await stage.pass(0)
    assert.containsSubset((await stage.entries())[0], {
      state: 'planned',
      attempts: 1,
      claim_id: null,
      last_error: 'not yet',
      look_at: later(stage.clock.now(), MINUTE),
    })
    await stage.pass(MINUTE - 1)
    assert.equal(attempts, 1)
    await stage.pass(1)
    await stage.pass(2 * MINUTE - 1)
    assert.equal(attempts, 2)
    await stage.pass(1)
    assert.deepEqual(await facts(stage), ['attempt 3'])
    assert.lengthOf(await stage.entries(), 0)
  })

  test('after the last attempt it is given up with what follows from that', async ({ assert }) => {
    for (const isBroken of [false, true]) {
      const stage = await Stage.set(
        onTime(ring, {
          ...policy,
          act: async () => {
            throw new Error('never')
          },
          async afterLast(scope, _entry, reason) {
            fact(scope, `gave up: ${reason}`)
            if (isBroken) throw new Error('nor this')
          },
        })
      )
      await plan(stage)
      for (const wait of [0, MINUTE, 2 * MINUTE]) assert.equal(await stage.pass(wait), 1)
      assert.deepEqual(await facts(stage), isBroken ? [] : ['gave up: never'])
      const [row] = await stage.entries()
      assert.containsSubset(row, { state: 'failed', attempts: 3, last_error: 'never' })
      assert.equal(await stage.pass(100 * MINUTE), 0)
      assert.include(stage.log, 'Work was given up')
      // Planned again it begins anew.
      await plan(stage)
      assert.containsSubset((await stage.entries())[0], { state: 'planned', attempts: 0 })
    }
  })

  test('it may plan itself again, or take itself back, as it acts', async ({ assert }) => {
    let count = 0
    const stage = await Stage.set(
      onTime(ring, {
        ...policy,
        async act(scope, { subject, payload }) {
          fact(scope, payload.note)
          count += 1
          if (count === 1) {
            const at = later(scope.now, MINUTE)
            await scope.agenda.plan(ring, { subject, at, payload: note('b') })
          } else await scope.agenda.cancel(ring, subject)
        },
      })
    )
    await plan(stage)
    await stage.pass(0)
    assert.containsSubset((await stage.entries())[0], { attempts: 0, claim_id: null })
    assert.equal(await stage.pass(MINUTE - 1), 0)
    await stage.pass(1)
    assert.deepEqual(await facts(stage), ['a', 'b'])
    assert.lengthOf(await stage.entries(), 0)
  })

  test('what is moved or cancelled while a worker is at it is not done then', async ({
    assert,
  }) => {
    for (const isMoved of [true, false]) {
      const stage = await Stage.set(
        onTime(ring, { ...policy, act: async (scope) => fact(scope, 'rung') })
      )
      let isDecided = false
      // Somebody decides between the claim and the transaction of the worker.
      const worker = stage.another({
        readScope: (principal) => stage.unitOfWork.readScope(principal),
        inTransaction: async (principal, work) => {
          if (!isDecided) {
            isDecided = true
            await stage.write((scope) =>
              isMoved
                ? scope.agenda.move(ring, 'one', later(scope.now, MINUTE))
                : scope.agenda.cancel(ring, 'one')
            )
          }
          return stage.unitOfWork.inTransaction(principal, work)
        },
      })
      await plan(stage)
      await worker.turn()
      assert.deepEqual(await facts(stage), [])
      await stage.pass(MINUTE)
      assert.deepEqual(await facts(stage), isMoved ? ['rung'] : [])
      assert.lengthOf(await stage.entries(), 0)
    }
  })

  test('a worker that died is followed by another once its lease is over; one that comes back late stores nothing', async ({
    assert,
  }) => {
    let isLate = true
    let stage: Stage
    const act = async (scope: Scope, { attempt }: Entry) => {
      fact(scope, `attempt ${attempt}`)
      if (!isLate) return
      isLate = false
      // Its lease passes while it is at it, and another claims: so much as another says here.
      await scope.transaction
        .from('agenda_entries')
        .update({ claim_id: 'another', look_at: later(stage.clock.now(), LEASE) })
    }
    stage = await Stage.set(onTime(ring, { ...policy, act }))
    await plan(stage)
    await stage.pass(0)
    // Nothing of it was stored, the other's claim neither: it ran in the same transaction.
    assert.deepEqual(await facts(stage), [])
    assert.equal(await stage.pass(LEASE - 1), 0)
    assert.equal(await stage.pass(1), 1)
    assert.deepEqual(await facts(stage), ['attempt 2'])
  })

  test('a payload of an older shape is refused, not acted on', async ({ assert }) => {
    const stage = await Stage.set(onTime(ring, { ...policy, act: async (s) => fact(s, 'rung') }))
    await plan(stage)
    await db.from('agenda_entries').update({ payload: '{"text":"a"}' })
    await stage.pass(0)
    assert.deepEqual(await facts(stage), [])
    assert.containsSubset((await stage.entries())[0], { state: 'failed' })
  })
})

/** A provider that does what it is told, and remembers what it has done. */
class Provider {
  readonly calls: string[] = []
  readonly finds: string[] = []
  readonly applied = new Set<string>()
  answers: (Outcome<string> | 'lost' | 'refused')[] = []

  call = async ({ idempotencyKey }: Entry): Promise<Outcome<string>> => {
    this.calls.push(idempotencyKey)
    const answer = this.answers.shift() ?? 'applied'
    if (answer === 'refused') throw new Error('connection refused')
    if (typeof answer === 'object') return answer
    this.applied.add(idempotencyKey)
    if (answer === 'lost') throw new Error('connection lost')
    return { outcome: 'applied', answer: idempotencyKey }
  }

  find = async ({ idempotencyKey }: Entry): Promise<Outcome<string>> => {
    this.finds.push(idempotencyKey)
    if (this.applied.has(idempotencyKey)) return { outcome: 'applied', answer: 'found' }
    return { outcome: 'notApplied', reason: 'There is none' }
  }
}

const answer = async (scope: Scope, { payload }: Entry<{ note: string }>, got: string) =>
  fact(scope, `${payload.note}: ${got}`)

const wish = (stage: Stage, name: string, entityKey?: string) =>
  stage.write((scope) =>
    scope.agenda.wish(order, {
      subject: 'one',
      idempotencyKey: name,
      entityKey,
      payload: note(name),
    })
  )

async function wishing(provider: Provider, isRepeatable = false): Promise<Stage> {
  const asking = isRepeatable ? { isRepeatable: true as const } : { find: provider.find }
  return Stage.set(
    onWish(order, {
      ...policy,
      ...asking,
      call: provider.call,
      answer,
      afterLast: async (scope, _entry, reason) => fact(scope, `gave up: ${reason}`),
    })
  )
}

test.group('A wish', () => {
  test('is called outside of a transaction with its key, and its answer becomes a fact', async ({
    assert,
  }) => {
    const provider = new Provider()
    const stage = await wishing(provider)
    await wish(stage, 'a')
    await stage.pass(0)
    assert.deepEqual(provider.calls, ['a'])
    assert.deepEqual(await facts(stage), ['a: a'])
    assert.containsSubset((await stage.entries())[0], { state: 'done', look_at: null, doubts: 0 })
    await wish(stage, 'a')
    assert.equal(await stage.pass(MINUTE), 0)
  })

  test('one that was not applied is called again in steps, later where the provider asks', async ({
    assert,
  }) => {
    const provider = new Provider()
    provider.answers = [
      { outcome: 'notApplied', reason: 'busy' },
      { outcome: 'notApplied', reason: 'busy', retryAfterMs: 5 * MINUTE },
    ]
    const stage = await wishing(provider)
    await wish(stage, 'a')
    await stage.pass(0)
    await stage.pass(MINUTE)
    assert.equal(await stage.pass(2 * MINUTE), 0)
    assert.equal(await stage.pass(3 * MINUTE), 1)
    assert.deepEqual(provider.calls, ['a', 'a', 'a'])
    assert.deepEqual(provider.finds, [])
    assert.deepEqual(await facts(stage), ['a: a'])
  })

  test('one that is too early is asked again, however often, and says what it waits for', async ({
    assert,
  }) => {
    const provider = new Provider()
    const early = { outcome: 'notApplied', reason: 'being copied', isEarly: true } as const
    provider.answers = [early, early, early, { ...early, retryAfterMs: 5 * MINUTE }]
    const stage = await wishing(provider)
    await wish(stage, 'a')
    for (const wait of [0, MINUTE, MINUTE, MINUTE]) assert.equal(await stage.pass(wait), 1)
    assert.containsSubset((await stage.entries())[0], {
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

  test('one that can never be applied is given up at once', async ({ assert }) => {
    const provider = new Provider()
    provider.answers = [{ outcome: 'notApplied', reason: 'no such app', isFinal: true }]
    const stage = await wishing(provider)
    await wish(stage, 'a')
    await stage.pass(0)
    assert.deepEqual(await facts(stage), ['gave up: no such app'])
    assert.equal(await stage.pass(100 * MINUTE), 0)
  })

  test('where nobody knows, it is read again before it is repeated', async ({ assert }) => {
    for (const [lost, calls] of [
      ['lost', ['a']],
      ['refused', ['a', 'a']],
    ] as const) {
      const provider = new Provider()
      provider.answers = [lost]
      const stage = await wishing(provider)
      await wish(stage, 'a')
      await stage.pass(0)
      await stage.pass(MINUTE)
      assert.deepEqual(provider.calls, [...calls])
      assert.deepEqual(provider.finds, ['a'])
      assert.deepEqual(await facts(stage), [lost === 'lost' ? 'a: found' : 'a: a'])
    }
  })

  test('after the last attempt what is in doubt is given up as such', async ({ assert }) => {
    const provider = new Provider()
    provider.answers = ['refused', 'refused', 'refused']
    const stage = await wishing(provider)
    await wish(stage, 'a')
    for (const wait of [0, MINUTE, 2 * MINUTE]) await stage.pass(wait)
    assert.lengthOf(provider.calls, 3)
    assert.deepEqual(await facts(stage), ['gave up: connection refused'])
  })

  test('one whose worker died is read again; a repeatable one is called with the same key', async ({
    assert,
  }) => {
    for (const isRepeatable of [false, true]) {
      const provider = new Provider()
      const stage = await wishing(provider, isRepeatable)
      await wish(stage, 'a')
      await die(stage)
      provider.applied.add('a')
      await stage.pass(LEASE)
      assert.lengthOf(provider.finds, isRepeatable ? 0 : 1)
      assert.lengthOf(provider.calls, isRepeatable ? 1 : 0)
      assert.lengthOf(await facts(stage), 1)
    }
  })

  test('one whose workers died in every attempt is read once more and given up', async ({
    assert,
  }) => {
    const provider = new Provider()
    const stage = await wishing(provider)
    await wish(stage, 'a')
    for (let attempt = 0; attempt < 3; attempt++) {
      await die(stage)
      stage.clock.advance(LEASE)
    }
    await stage.pass(0)
    assert.deepEqual([provider.finds, provider.calls], [['a'], []])
    assert.deepEqual(await facts(stage), ['gave up: The last attempt was never ended'])
  })

  test('an answer that cannot be stored is read again, and what came with it is taken back', async ({
    assert,
  }) => {
    const provider = new Provider()
    const discarded: string[] = []
    let isBroken = true
    const stage = await Stage.set(
      onWish(order, {
        ...policy,
        find: provider.find,
        call: provider.call,
        async answer(scope: Scope, entry: Entry<{ note: string }>, got: string) {
          await answer(scope, entry, got)
          if (isBroken) throw new Error('not stored')
          return 'named'
        },
        isKept: (kept) => kept === 'named',
        discard: async (got) => void discarded.push(got),
      })
    )
    await wish(stage, 'a')
    await stage.pass(0)
    assert.deepEqual([discarded, await facts(stage)], [['a'], []])
    isBroken = false
    await stage.pass(MINUTE)
    assert.deepEqual([discarded, await facts(stage)], [['a'], ['a: found']])
    assert.deepEqual(provider.calls, ['a'])
  })

  test('wishes of one entity follow each other, whatever becomes of them; others do not wait', async ({
    assert,
  }) => {
    const provider = new Provider()
    const stage = await wishing(provider)
    provider.answers = [{ outcome: 'notApplied', reason: 'busy' }]
    for (const name of ['a', 'b', 'c']) await wish(stage, name, 'release:1')
    await wish(stage, 'other', 'release:2')
    await wish(stage, 'free')
    await stage.pass(0)
    assert.deepEqual(provider.calls.toSorted(), ['a', 'free', 'other'])
    assert.deepEqual(
      (await stage.entries()).slice(0, 3).map(({ state }) => state),
      ['planned', 'behind', 'behind']
    )
    provider.answers = [{ outcome: 'notApplied', reason: 'gone', isFinal: true }]
    await stage.pass(MINUTE)
    assert.deepEqual(provider.calls.slice(3), ['a', 'b', 'c'])
    const told = ['other: other', 'free: free', 'gave up: gone', 'b: b', 'c: c']
    assert.sameMembers(await facts(stage), told)
  })

  test('one that is taken back lets the next have its turn', async ({ assert }) => {
    const provider = new Provider()
    const stage = await wishing(provider)
    const at = later(stage.clock.now(), MINUTE)
    await stage.write((scope) =>
      scope.agenda.wish(order, { subject: 'x', at, entityKey: 'e', payload: note('x') })
    )
    await wish(stage, 'b', 'e')
    assert.equal(await stage.pass(0), 0)
    await stage.write((scope) => scope.agenda.cancel(order, 'x'))
    await stage.pass(0)
    assert.deepEqual(provider.calls, ['b'])
  })
})

/** Claims what is due, and never comes back to it. */
async function die(stage: Stage): Promise<void> {
  const { ClaimEntries } = await import('../claim_entries.js')
  const claims = new ClaimEntries(db as never, stage.clock, stage.works)
  const { claimed } = await claims.handle('wish', 8, new Map())
  if (claimed.length !== 1) throw new Error('There was nothing to claim')
}

test.group('An observation', () => {
  async function watching(seen: (Seen | Error)[]) {
    const looks: string[] = []
    const stage = await Stage.set(
      onObservation(watch, {
        ...policy,
        every: { least: MINUTE, most: 5 * MINUTE },
        look: async () => {
          const next = seen.shift() ?? 'unchanged'
          looks.push(String(next))
          if (next instanceof Error) throw next
          return next
        },
        take: async (scope, _entry, look: Seen) => {
          fact(scope, look)
          return look
        },
      })
    )
    await stage.write((scope) => scope.agenda.plan(watch, { subject: 'one', payload: note('a') }))
    return { stage, looks }
  }

  /** Minutes until the next look. */
  async function wait(stage: Stage): Promise<number> {
    const [{ look_at: at }] = await stage.entries()
    return (Date.parse(at!) - stage.clock.milliseconds()) / MINUTE
  }

  test('looks sooner after a change and ever later without one, until it is over', async ({
    assert,
  }) => {
    const seen: Seen[] = ['unchanged', 'unchanged', 'unchanged', 'unchanged', 'changed', 'over']
    const { stage } = await watching(seen)
    const waits: number[] = []
    await stage.pass(0)
    for (let look = 0; look < 5; look++) {
      waits.push(await wait(stage))
      await stage.pass(waits[look] * MINUTE)
    }
    assert.deepEqual(waits, [1, 2, 4, 5, 1])
    assert.lengthOf(await stage.entries(), 0)
    assert.lengthOf(await facts(stage), 6)
  })

  test('one that fails is tried again in steps, and never given up', async ({ assert }) => {
    const failures = Array.from({ length: 4 }, () => new Error('down'))
    const { stage, looks } = await watching([...failures, 'changed'])
    await stage.pass(0)
    const waits: number[] = []
    for (let look = 0; look < 4; look++) {
      waits.push(await wait(stage))
      await stage.pass(waits[look] * MINUTE)
    }
    assert.deepEqual(waits, [1, 2, 2, 2])
    assert.lengthOf(looks, 5)
    assert.deepEqual(await facts(stage), ['changed'])
    assert.equal(await wait(stage), 1)
    assert.include(stage.log, 'Work keeps failing')
  })

  test('one that is cancelled while it looks takes nothing in', async ({ assert }) => {
    const { stage } = await watching([])
    const { works } = stage
    const handler = works.get('test.watch')!.handler
    if (handler.nature !== 'observation') throw new Error('Not what it should be')
    const { look } = handler
    handler.look = async (entry, context) => {
      await stage.write((scope) => scope.agenda.cancel(watch, entry.subject))
      return look(entry, context)
    }
    await stage.pass(0)
    assert.deepEqual(await facts(stage), [])
    assert.lengthOf(await stage.entries(), 0)
    assert.equal(await stage.pass(10 * SECOND), 0)
  })
})
