import { test } from '@japa/runner'
import { explore, shrink, traceOf, tryScenario } from './explore.js'
import type { Fault } from './fault.js'
import type { Rule } from './finding.js'
import { NaiveSystem } from './naive_system.js'
import type { Setting } from './system.js'
import { isLong } from '#tests/support/effort'

/** The first seed; another one tries other interleavings. */
const FROM = Number(process.env.TEST_SEED ?? 1)

/** The rule that a fault breaks, and a seed that shows it at present. */
const BROKEN: Readonly<Record<Fault, readonly [rule: Rule, shownBy: number]>> = {
  'forgets stops': ['ends where wanted', 34],
  'believes stale lists': ['announced is true', 9],
  'repeats refused calls': ['refused is not repeated', 1],
  'announces early': ['announced is true', 1],
  'adopts its own calls': ['adopted is from outside', 2],
  'names somebody': ['nobody is named wrongly', 12],
  'restarts reviews': ['a repeated stop restarts nothing', 17],
  'grows by replacing': ['growth waits for reviews', 2],
  'grows after a stop': ['no growth after a stop', 51],
  'overlaps calls': ['calls follow each other', 1],
  'trusts old evidence': ['announced is true', 23],
  'asks nobody': ['ends where wanted', 6],
  'announces what is superseded': ['superseded is silent', 1],
  'stops wait their turn': ['a stop does not wait', 721],
  'forgets at death': ['ends where wanted', 1],
  'never rests': ['retries back off', 223],
  'waits with new credentials': ['new credentials are used', 64],
  'comes back too soon': ['retries back off', 11],
  'goes on after the end': ['nothing goes on after its end', 1],
  'submits in a freeze': ['a freeze holds automations', 19],
  'grows in a freeze': ['a freeze holds automations', 53],
  'hides restarts': ['restarted reviews say so', 145],
  'reports restarts too soon': ['announced is true', 1411],
  'gives up what is done': ['announced is true', 2],
}

const make = (fault: Fault | null) => (setting: Setting) => new NaiveSystem(setting, fault)

test.group('The oracle', () => {
  test('finds no fault in a system that is correct but slow', ({ assert }) => {
    const { runs, failures, endings, calls } = explore(make(null), { from: FROM, count: 300 })
    assert.deepEqual(failures.map(traceOf), [])
    assert.equal(runs, 300)
    // The system makes calls, and asks people only if needed.
    assert.isAbove(calls, 5 * runs)
    assert.isAbove(endings.done, 2 * endings.asked)
  })

  test('finds the fault of a system that {$self}')
    .with(Object.keys(BROKEN) as Fault[])
    .run(({ assert }, fault) => {
      const [broken, shownBy] = BROKEN[fault]
      // The long run finds faults without a known seed.
      const from = isLong ? FROM : shownBy
      const found = new Set<Rule>()
      // Some faults show in few interleavings.
      for (let seed = from; seed < from + 3000 && !found.has(broken); seed += 1) {
        const { failures } = explore(make(fault), { from: seed, count: 1, most: 1 })
        for (const { findings } of failures) for (const { rule } of findings) found.add(rule)
      }
      assert.include([...found], broken)
    })

  test('finds the same in the same interleaving', ({ assert }) => {
    const [first] = explore(make('forgets at death'), { from: FROM, count: 200 }).failures
    const again = tryScenario(first.scenario, make('forgets at death'))
    assert.equal(traceOf(again), traceOf(first))
  })

  test('reduces a failure to few steps, and lists them', ({ assert }) => {
    const [failure] = explore(make('forgets at death'), { from: FROM, count: 200 }).failures
    const smallest = shrink(failure, make('forgets at death'))
    assert.isBelow(smallest.scenario.steps.length, 8)
    assert.deepEqual(
      new Set(smallest.findings.map(({ rule }) => rule)),
      new Set(['ends where wanted'])
    )
    const trace = traceOf(smallest)
    assert.match(trace, /^seed \d+, \d+ steps/)
    assert.include(trace, 'the process is killed and starts')
    assert.match(trace, /decides .+ generation \d+/)
    assert.include(trace, 'BROKEN "ends where wanted"')
  })
})
