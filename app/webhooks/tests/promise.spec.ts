import fc from 'fast-check'
import { test } from '@japa/runner'
import { ORDER_PATIENCE } from '#webhooks/retry_schedule'
import { HOUR } from '#foundation/core/durations'
import { Receiver } from './support/receiver.js'
import { Stage } from './support/stage.js'
import { runs } from '#tests/support/effort'

interface Arrival {
  sequence: number
  entity: string
  at: number
  taken: boolean
}

/** Steps: events of entities, time that passes, the receiver's next status, a repeated relay. */
const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('record' as const),
      entities: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 5 }),
    }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(1000, 6000, 400_000) }),
    fc.record({ kind: fc.constant('mood' as const), status: fc.constantFrom(204, 500, 503) }),
    fc.record({ kind: fc.constant('relayAgain' as const) })
  ),
  { minLength: 4, maxLength: 14 }
)

test.group('The guarantee of webhooks', (group) => {
  const receivers: Receiver[] = []
  group.each.teardown(async () => {
    for (const receiver of receivers.splice(0)) await receiver.stop()
  })

  test('every event succeeds exactly once, in the order of its entity unless one failed for five minutes', async ({
    assert,
  }) => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const stage = await Stage.set()
        const arrivals: Arrival[] = []
        let status = 204
        const receiver = await new Receiver(({ payload }, response) => {
          arrivals.push({
            sequence: payload.sequence!,
            entity: String(payload.note),
            at: stage.clock.milliseconds(),
            taken: status === 204,
          })
          response.writeHead(status).end()
        }).start()
        receivers.push(receiver)
        await stage.endpoint(receiver.url)
        let count = 0
        for (const step of script) {
          if (step.kind === 'record') {
            count += step.entities.length
            await stage.record(...step.entities.map((entity) => ({ entity, note: entity })))
          }
          if (step.kind === 'mood') status = step.status
          if (step.kind === 'relayAgain') await stage.forgetRelay()
          if (step.kind === 'pass') await stage.pass(step.ms)
          await stage.drain()
        }
        status = 204
        await stage.pass(30 * HOUR, 60)

        const taken = arrivals.filter((each) => each.taken)
        assert.sameMembers(
          taken.map(({ sequence }) => sequence),
          Array.from({ length: count }, (_, index) => index + 1)
        )
        for (const [place, late] of taken.entries()) {
          for (const early of taken.slice(place + 1)) {
            if (early.entity !== late.entity || early.sequence > late.sequence) continue
            const firstTry = arrivals.find((each) => each.sequence === early.sequence)!
            assert.isAtLeast(late.at - firstTry.at, ORDER_PATIENCE)
          }
        }
      }),
      { numRuns: runs(12) }
    )
  })
})
