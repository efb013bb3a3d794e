import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { earlier, later, type Instant } from '#foundation/core/clock'
import { Stage } from '#foundation/jobs/tests/support/stage'
import type { ReleaseFacts } from '#releases/engine/facts'
import { evaluateOnTime } from '#releases/lifecycle/evaluate_on_time'
import { releaseExtensions } from '#releases/extensions'
import { HOUR } from '#foundation/core/durations'
import {
  makeTrain,
  recordFacts,
  recordStepFacts,
  reported,
  typesOf,
  type Train,
} from './helpers/release_world.js'

/** Facts of a test extension by release, as a function of the time. */
const given = new Map<string, (now: Instant) => Partial<ReleaseFacts>>()

releaseExtensions
  .extend({
    name: 'time',
    facts: { of: async (scope, { id }) => given.get(id)?.(scope.now) ?? {} },
  })
  .register()

/** Creates a release that the test extension kicks off at the last of these times from now. */
async function timedRelease(stage: Stage, waits: readonly number[]) {
  const train = await makeTrain(['1.0.0'], { steps: [{ type: 'kickoff' }] })
  const { id } = await db.from('releases').where('app_id', train.app).firstOrFail()
  const instants = waits.map((wait) => later(stage.clock.now(), wait))
  const kickoffAt = instants.at(-1)!
  given.set(id, (now) => ({
    kickedOffAt: now >= kickoffAt ? kickoffAt : null,
    reminders: instants.map((at) => ({ about: 'kickoff' as const, at })),
  }))
  await recordFacts(train, '1.0.0', async () => {})
  return { train, id, instants }
}

const edges = async ({ world }: Train) =>
  typesOf(await reported(world)).filter((type) => type === 'releaseStep.statusChanged')

test.group('A release whose status depends on the time', () => {
  test('is evaluated at that time and not before, with each edge recorded once', async ({
    assert,
  }) => {
    const stage = await Stage.set(evaluateOnTime)
    const { train, instants } = await timedRelease(stage, [HOUR])
    const [entry] = await stage.jobs()
    assert.containsSubset(entry, { kind: 'release.nextEvaluation', due_at: instants[0] })
    stage.clock.travelTo(earlier(instants[0], 1))
    assert.equal(await stage.worker.turn(), 0)
    assert.equal((await train.step('1.0.0', 'kickoff')).status, 'notStarted')
    const before = (await edges(train)).length

    const workers = [stage.worker, stage.another(), stage.another()]
    stage.clock.advance(1)
    await Promise.all(workers.map((worker) => worker.turn()))
    const row = await db.from('release_steps').where({ release_id: entry.subject, type: 'kickoff' })
    assert.equal(row[0].status, 'complete')
    assert.lengthOf(await edges(train), before + 1)
    const actors = (await train.timeline('1.0.0')).map(({ actor }) => actor.name)
    assert.include(actors, 'clock')
    assert.lengthOf(await stage.jobs(), 0)
    assert.equal(await stage.pass(1000 * HOUR), 0)
    assert.lengthOf(await edges(train), before + 1)
  })

  test('is evaluated once at each of several times', async ({ assert }) => {
    const stage = await Stage.set(evaluateOnTime)
    const { instants, id } = await timedRelease(stage, [HOUR, 2 * HOUR, 3 * HOUR])
    for (const [index, instant] of instants.entries()) {
      const [entry] = await stage.jobs()
      assert.equal(entry.visible_at, instant)
      stage.clock.travelTo(instant)
      assert.equal(await stage.worker.turn(), 1)
      const release = await db.from('releases').where('id', id).firstOrFail()
      assert.equal(release.next_evaluation_at, instants[index + 1] ?? null)
    }
    assert.lengthOf(await stage.jobs(), 0)
  })

  test('is evaluated again at the right time after a clock was set back', async ({ assert }) => {
    const stage = await Stage.set(evaluateOnTime)
    const { instants, id, train } = await timedRelease(stage, [HOUR])
    // A process whose clock is ahead claims the job too early.
    await db.from('jobs').update({ visible_at: stage.clock.now() })
    await stage.worker.turn()
    const [entry] = await stage.jobs()
    assert.containsSubset(entry, { subject: id, visible_at: instants[0], claim_id: null })
    stage.clock.travelTo(instants[0])
    await stage.worker.turn()
    assert.equal((await edges(train)).length, 1)
  })

  test('is evaluated at a time that a store has announced', async ({ assert }) => {
    const stage = await Stage.set(evaluateOnTime)
    const train = await makeTrain(['1.0.0'], { steps: [{ type: 'kickoff' }, { type: 'takeoff' }] })
    const notBefore = later(stage.clock.now(), HOUR)
    const facts = { pending: true, released: false, notBefore }
    await recordStepFacts(train, '1.0.0', 'takeoff', facts)
    assert.equal((await stage.jobs())[0].due_at, notBefore)
    await recordStepFacts(train, '1.0.0', 'takeoff', { ...facts, notBefore: null })
    assert.lengthOf(await stage.jobs(), 0)
  })
})

test.group('A release without a time to wait for', () => {
  test('has no job when it is idle, skipped, deleted, or deleted with its app', async ({
    assert,
  }) => {
    const stage = await Stage.set(evaluateOnTime)
    await makeTrain(['1.0.0', '2.0.0'])
    assert.lengthOf(await stage.jobs(), 0)
    const ways: ((train: Train) => Promise<{ status: number }>)[] = [
      ({ admin, path }) => admin.put(`${path('1.0.0')}/skip`),
      ({ admin, path }) => admin.delete(path('1.0.0')),
      ({ admin, app }) => admin.delete(`/app/${app}/config?force=true`),
    ]
    for (const end of ways) {
      const { train } = await timedRelease(stage, [HOUR])
      assert.lengthOf(await stage.jobs(), 1)
      const { status } = await end(train)
      assert.isBelow(status, 300)
      assert.lengthOf(await stage.jobs(), 0)
    }
  })

  test('does not fail the job when its row is missing', async ({ assert }) => {
    const stage = await Stage.set(evaluateOnTime)
    const { instants, id } = await timedRelease(stage, [HOUR])
    await db.from('releases').where('id', id).delete()
    stage.clock.travelTo(instants[0])
    assert.equal(await stage.worker.turn(), 1)
    assert.lengthOf(await stage.jobs(), 0)
  })
})
