import { test } from '@japa/runner'
import fc from 'fast-check'
import { MINUTE } from '../durations.js'
import { cancel, stateOf, trigger, USUAL_CI, type SimulatedCi } from '../ci.js'
import { runs } from '../../../tests/support/effort.js'

const BEGIN = Date.parse('2026-11-20T12:00:00.000Z')
const ORDER = ['queued', 'running', 'succeeded', 'failed', 'canceled']

/** Actions of people on a CI system, in order of time. */
const actions = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 40 }),
    deed: fc.oneof(
      fc.constant({ trigger: true as const }),
      fc.record({ cancel: fc.integer({ min: 1, max: 12 }) })
    ),
  }),
  { maxLength: 12 }
)
const worlds = fc.record({
  seed: fc.string(),
  machines: fc.integer({ min: 1, max: 3 }),
  deeds: actions,
})

interface Played {
  seed: string
  machines: number
  deeds: { after: number; deed: { trigger: true } | { cancel: number } }[]
}

function play({ seed, machines, deeds: all }: Played) {
  let ci: SimulatedCi = { ...USUAL_CI, settings: { ...USUAL_CI.settings, machines, failing: 0.3 } }
  let now = BEGIN
  for (const { after, deed: action } of all) {
    now += after * MINUTE
    if ('trigger' in action)
      ci = trigger(ci, seed, now, { workflowId: 'release', branch: 'main' }).ci
    else ci = cancel(ci, String(action.cancel), now)
  }
  return { ci, now }
}

test.group('Simulated CI', () => {
  test('never has more runs under way than machines, and all of them end', ({ assert }) => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { ci, now } = play(world)
        const end = now + 12 * 26 * MINUTE
        for (let at = BEGIN; at <= end; at += 5 * MINUTE) {
          const running = ci.runs.filter((run) => stateOf(run, at) === 'running')
          assert.isAtMost(running.length, world.machines)
        }
        for (const run of ci.runs) assert.include(ORDER.slice(2), stateOf(run, end))
      }),
      { numRuns: runs(50) }
    )
  })

  test('a run goes from waiting over running to one end, and stays there', ({ assert }) => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { ci, now } = play(world)
        for (const run of ci.runs) {
          const states: string[] = []
          for (let at = run.queuedAt; at <= now + 12 * 26 * MINUTE; at += MINUTE) {
            const state = stateOf(run, at)
            if (states.at(-1) !== state) states.push(state)
          }
          const ranks = states.map((state) => Math.min(ORDER.indexOf(state), 2))
          assert.deepEqual(ranks, [...new Set(ranks)].sort())
        }
      }),
      { numRuns: runs(30) }
    )
  })

  test('the same seed gives the same runs; another gives others', ({ assert }) => {
    fc.assert(
      fc.property(worlds, (world) => {
        assert.deepEqual(play(world), play(structuredClone(world)))
      }),
      { numRuns: runs(50) }
    )
    const endings = (seed: string) => {
      const action = { after: 60, deed: { trigger: true as const } }
      const { ci } = play({ seed, machines: 2, deeds: Array.from({ length: 12 }, () => action) })
      return ci.runs.map(({ ending, endsAt }) => `${ending} ${endsAt}`)
    }
    assert.notDeepEqual(endings('one'), endings('two'))
  })

  test('a key triggers one run only', ({ assert }) => {
    const request = { workflowId: 'release', branch: 'main', key: 'k1' }
    const first = trigger(USUAL_CI, 's', BEGIN, request)
    const again = trigger(first.ci, 's', BEGIN + MINUTE, request)
    assert.deepEqual(again, first)
    const other = trigger(first.ci, 's', BEGIN + MINUTE, { ...request, key: 'k2' })
    assert.equal(other.run.number, 2)
  })

  test('a finished run cannot be canceled; a run canceled while it waits never has a machine', ({
    assert,
  }) => {
    const one = { ...USUAL_CI, settings: { ...USUAL_CI.settings, machines: 1 } }
    const request = { workflowId: 'release', branch: 'main' }
    const first = trigger(one, 's', BEGIN, request)
    const second = trigger(first.ci, 's', BEGIN, request)
    const over = cancel(second.ci, '1', first.run.endsAt)
    assert.equal(stateOf(over.runs[0], first.run.endsAt), first.run.ending)
    const canceled = cancel(second.ci, '2', BEGIN + MINUTE)
    assert.equal(stateOf(canceled.runs[1], BEGIN + MINUTE), 'canceled')
    const third = trigger(canceled, 's', BEGIN + 2 * MINUTE, request)
    assert.equal(third.run.startsAt, first.run.endsAt)
  })
})
