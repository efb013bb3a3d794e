import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import fc from 'fast-check'
import type { Claim } from '#foundation/core/jobs/ends'
import type { UnitOfWork } from '#foundation/core/database/unit_of_work'
import { selects } from '#foundation/core/services'
import { tenants } from '#organizations/queries/find_tenants'
import { makeWorld } from '#tests/support/world'
import { CarryOut } from '../carry_out.js'
import { ClaimJobs } from '../claim_jobs.js'
import { onTime, onCommand, type Outcome } from '../handlers.js'
import { LEASE, MINUTE, SECOND, Stage, order, ring } from './support/stage.js'
import { runs } from '#tests/support/effort'

const policy = {
  actor: 'test',
  lease: LEASE,
  retry: { steps: Array.from({ length: 40 }, () => SECOND) },
}

/** Points at which a worker may die, or be delayed until its lease is over. */
const SEAMS = [
  'none',
  'beforeCall',
  'afterCall',
  'beforeCommit',
  'afterCommit',
  'heldBeforeCall',
  'heldAfterCall',
] as const
type Seam = (typeof SEAMS)[number]
const DEAD: readonly Seam[] = ['beforeCall', 'afterCall', 'beforeCommit']

type Command =
  | { do: 'command'; entity: string }
  | { do: 'ring'; subject: string }
  | { do: 'work'; seams: Seam[] }
  | { do: 'wakeUp' }
  | { do: 'pass'; milliseconds: number }

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('e1', 'e2').map((entity) => ({ do: 'command', entity }) as const),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('r1', 'r2').map((subject) => ({ do: 'ring', subject }) as const),
  },
  {
    weight: 4,
    arbitrary: fc
      .array(fc.constantFrom(...SEAMS), { minLength: 1, maxLength: 3 })
      .map((seams) => ({ do: 'work', seams }) as const),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'wakeUp' } as const) },
  {
    weight: 3,
    // Clocks are set back as well.
    arbitrary: fc
      .constantFrom(SECOND, LEASE - 1, LEASE, 2 * LEASE, -SECOND, -LEASE)
      .map((milliseconds) => ({ do: 'pass', milliseconds }) as const),
  }
)

class Died extends Error {}

/** A stage with a provider, and workers that die or are delayed at seams. */
class Play {
  readonly requested: { name: string; entity: string }[] = []
  readonly planned: string[] = []
  /** The first effect of each key; repeating a key has none. */
  readonly effects: string[] = []
  readonly answered: string[] = []
  readonly rung: string[] = []
  readonly #held: (() => void)[] = []
  readonly #late: Promise<void>[] = []
  readonly #seamOf = new Map<string, Seam>()
  stage!: Stage

  static async begin(): Promise<Play> {
    const play = new Play()
    const carriedOut = onCommand(order, {
      ...policy,
      call: ({ idempotencyKey }) => play.#call(idempotencyKey),
      find: async ({ idempotencyKey }): Promise<Outcome<string>> =>
        play.effects.includes(idempotencyKey)
          ? { outcome: 'applied', result: idempotencyKey }
          : { outcome: 'notApplied', reason: 'none' },
      storeResult: async (scope, { idempotencyKey }) => {
        scope.transaction.after('commit', () => void play.answered.push(idempotencyKey))
        if (play.#seamOf.get(idempotencyKey) === 'beforeCommit') throw new Died()
      },
    })
    const timer = onTime(ring, {
      ...policy,
      act: async (scope, { subject, payload }) => {
        scope.transaction.after('commit', () => void play.rung.push(payload.note))
        if (DEAD.includes(play.#seamOf.get(subject) ?? 'none')) throw new Died()
      },
    })
    play.stage = await Stage.set(carriedOut, timer)
    return play
  }

  async run(step: Command): Promise<void> {
    switch (step.do) {
      case 'command': {
        const name = `w${this.requested.length}`
        await this.stage.write((scope) =>
          scope.jobs.command(order, {
            subject: step.entity,
            idempotencyKey: name,
            entityKey: step.entity,
            payload: { note: name },
          })
        )
        this.requested.push({ name, entity: step.entity })
        return
      }
      case 'ring': {
        const name = `${step.subject} ${this.planned.length}`
        const { subject } = step
        await this.stage.write((scope) =>
          scope.jobs.plan(ring, { subject, payload: { note: name } })
        )
        this.planned.push(name)
        return
      }
      case 'work':
        return this.#work(step.seams)
      case 'wakeUp':
        return this.wakeUp()
      case 'pass':
        this.stage.clock.advance(step.milliseconds)
    }
  }

  /** Lets delayed workers continue, long after their leases. */
  async wakeUp(): Promise<void> {
    this.#held.splice(0).forEach((goOn) => goOn())
    await Promise.all(this.#late.splice(0))
  }

  async #call(key: string): Promise<Outcome<string>> {
    const seam = this.#seamOf.get(key)
    if (seam === 'beforeCall') throw new Died()
    if (seam === 'heldBeforeCall') await this.#hold()
    if (!this.effects.includes(key)) this.effects.push(key)
    if (seam === 'afterCall') throw new Died()
    if (seam === 'heldAfterCall') await this.#hold()
    return { outcome: 'applied', result: key }
  }

  #hold(): Promise<void> {
    return new Promise((resolve) => void this.#held.push(resolve))
  }

  /** One worker claims jobs, and carries each out up to its seam. */
  async #work(seams: readonly Seam[]): Promise<void> {
    const { clock, works } = this.stage
    const claims = new ClaimJobs(db as never, selects, clock, works)
    for (const nature of ['command', 'timer'] as const) {
      const { claimed } = await claims.handle(nature, seams.length, new Map())
      for (const [index, claim] of claimed.entries()) await this.#carry(claim, seams[index])
    }
  }

  async #carry(claim: Claim, seam: Seam): Promise<void> {
    this.#seamOf.set(claim.nature === 'command' ? claim.idempotencyKey : claim.subject, seam)
    const isDead = DEAD.includes(seam)
    const { stage } = this
    const unitOfWork: Pick<UnitOfWork, 'inTransaction' | 'readScope'> = {
      readScope: (principal) => stage.unitOfWork.readScope(principal),
      inTransaction: async (principal, work) => {
        const result = await stage.unitOfWork.inTransaction(principal, work)
        if (seam === 'afterCommit') throw new Died()
        return result
      },
    }
    const carryOut = new CarryOut({
      unitOfWork,
      tenants,
      works: stage.works,
      // A dead worker records nothing.
      settling: (isDead || seam === 'afterCommit'
        ? { handle: () => Promise.reject(new Died()) }
        : { handle: (...given: [never, never]) => this.#settle(...given) }) as never,
      clock: stage.clock,
      random: () => 0,
      logger: { warn: () => {}, error: () => {} } as never,
      stopping: new AbortController().signal,
    })
    const carried = carryOut.handle(claim, new AbortController().signal).catch((error) => {
      if (!(error instanceof Died)) throw error
    })
    const isHeld = seam.startsWith('held') && claim.nature === 'command'
    if (!isHeld) return carried
    // Either the call is delayed now, or the job made no call.
    await Promise.race([carried, this.#untilHeld()])
    this.#late.push(carried)
  }

  async #untilHeld(): Promise<void> {
    const before = this.#held.length
    for (let turn = 0; turn < 500 && this.#held.length === before; turn++) {
      await new Promise((done) => setImmediate(done))
    }
  }

  async #settle(claim: never, end: never): Promise<void> {
    const { Settling } = await import('../settling.js')
    const { Trouble } = await import('#foundation/core/trouble')
    const quiet = { info: () => {}, error: () => {} } as never
    const settling = new Settling(
      db as never,
      this.stage.clock,
      new Trouble('test', quiet),
      new AbortController().signal
    )
    await settling.handle(claim, end)
  }

  /** No worker dies any more, and time passes until no job is left. */
  async finish(): Promise<void> {
    await this.wakeUp()
    this.#seamOf.clear()
    for (let turn = 0; turn < 60; turn++) {
      this.stage.clock.advance(LEASE)
      await this.#work(Array.from({ length: 6 }, () => 'none' as const))
      const open = (await this.stage.jobs()).filter(({ state }) => state !== 'done')
      if (open.length === 0) return
    }
    throw new Error('The job queue does not come to rest')
  }
}

test.group('Claims', () => {
  test('if workers die, are delayed or lose their leases, nothing is lost or stored twice and entities keep their order', async ({
    assert,
  }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 30 }), async (commands) => {
        const play = await Play.begin()
        for (const step of commands) await play.run(step)
        await play.finish()
        const names = play.requested.map(({ name }) => name)
        assert.sameMembers(play.answered, names, 'every command is answered once')
        assert.lengthOf(play.answered, names.length)
        assert.sameMembers(play.effects, names, 'every command has its effect')
        for (const entity of ['e1', 'e2']) {
          const own = play.requested
            .filter((each) => each.entity === entity)
            .map(({ name }) => name)
          const inOrder = (list: string[]) => list.filter((name) => own.includes(name))
          assert.deepEqual(inOrder(play.answered), own, 'answers keep the order')
          assert.deepEqual(inOrder(play.effects), own, 'effects keep the order')
        }
        assert.lengthOf(new Set(play.rung), play.rung.length, 'no timer acts twice')
        for (const subject of ['r1', 'r2']) {
          const last = play.planned.findLast((name) => name.startsWith(subject))
          if (last) assert.include(play.rung, last, 'the last plan of a timer is done')
        }
      }),
      { numRuns: runs(100) }
    )
  }).timeout(240_000)

  test('several workers share the due jobs, and none gets a job that another has', async ({
    assert,
  }) => {
    const stage = await Stage.set(onTime(ring, { ...policy, act: async () => {} }))
    const worlds = [stage.world, await makeWorld(), await makeWorld()]
    for (const world of worlds) {
      await stage.write(async (scope) => {
        for (let index = 0; index < 20; index++) {
          await scope.jobs.plan(ring, { subject: `s${index}`, payload: { note: '' } })
        }
      }, world)
    }
    const workers = Array.from(
      { length: 4 },
      () => new ClaimJobs(db as never, selects, stage.clock, stage.works)
    )
    const claimed: string[] = []
    for (let turn = 0; turn < 40 && claimed.length < 60; turn++) {
      const looks = await Promise.all(workers.map((claims) => claims.handle('timer', 6, new Map())))
      claimed.push(...looks.flatMap((look) => look.claimed.map(({ id }) => id)))
    }
    assert.lengthOf(claimed, 60)
    assert.lengthOf(new Set(claimed), 60)
  })

  test('an organization with very many jobs leaves room for those with few', async ({ assert }) => {
    const stage = await Stage.set(onTime(ring, { ...policy, act: async () => {} }))
    await stage.write(async (scope) => {
      for (let index = 0; index < 200; index++) {
        await scope.jobs.plan(ring, { subject: `s${index}`, payload: { note: '' } })
      }
    })
    stage.clock.advance(1)
    const small = await Promise.all([1, 2, 3].map(() => makeWorld()))
    for (const world of small) {
      await stage.write(
        (scope) => scope.jobs.plan(ring, { subject: 'one', payload: { note: '' } }),
        world
      )
    }
    stage.clock.advance(MINUTE)
    const claims = new ClaimJobs(db as never, selects, stage.clock, stage.works)
    const first = await claims.handle('timer', 4, new Map())
    const owners = first.claimed.map(({ organizationId }) => organizationId)
    assert.sameMembers(
      owners,
      [stage.world, ...small].map(({ organizationId }) => organizationId)
    )
    const next = await claims.handle('timer', 3, new Map([[stage.world.organizationId, 2]]))
    assert.lengthOf(next.claimed, 0)
    assert.isFalse(next.hasMore)
  })
})
