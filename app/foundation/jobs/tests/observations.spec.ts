import { test } from '@japa/runner'
import { onObservation, type Seen } from '../handlers.js'
import { MINUTE, SECOND, Stage, watch } from './support/stage.js'
import { fact, facts, note, policy } from './support/facts.js'

test.group('An observation', () => {
  async function watching(seen: (Seen | Error)[]) {
    const looks: string[] = []
    const stage = await Stage.set(
      onObservation(watch, {
        ...policy,
        every: { least: MINUTE, most: 5 * MINUTE },
        poll: async () => {
          const next = seen.shift() ?? 'unchanged'
          looks.push(String(next))
          if (next instanceof Error) throw next
          return next
        },
        store: async (scope, _job, look: Seen) => {
          fact(scope, look)
          return look
        },
      })
    )
    await stage.write((scope) => scope.jobs.plan(watch, { subject: 'one', payload: note('a') }))
    return { stage, looks }
  }

  /** Returns the minutes until the next poll. */
  async function wait(stage: Stage): Promise<number> {
    const [{ visible_at: at }] = await stage.jobs()
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
    assert.lengthOf(await stage.jobs(), 0)
    assert.lengthOf(await facts(stage), 6)
  })

  test('is retried in steps after a failure, and never given up', async ({ assert }) => {
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
    assert.include(stage.log, 'A job keeps failing')
  })

  test('stores nothing if it is cancelled while it looks', async ({ assert }) => {
    const { stage } = await watching([])
    const { works } = stage
    const handler = works.get('test.watch')!.handler
    if (handler.nature !== 'observation')
      throw new Error('The handler is not that of an observation')
    const { poll } = handler
    handler.poll = async (job, context) => {
      await stage.write((scope) => scope.jobs.cancel(watch, job.subject))
      return poll(job, context)
    }
    await stage.pass(0)
    assert.deepEqual(await facts(stage), [])
    assert.lengthOf(await stage.jobs(), 0)
    assert.equal(await stage.pass(10 * SECOND), 0)
  })
})
