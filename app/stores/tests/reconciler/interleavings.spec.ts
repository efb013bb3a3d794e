import { test } from '@japa/runner'
import { explore, shrink, traceOf, tryScenario } from './explore.js'
import { KEPT_CROSSINGS } from './kept_crossings.js'
import { KEPT } from './kept_interleavings.js'
import { RecordSystem } from './record_system.js'
import { optionsOf } from './scenario.js'
import type { Setting } from './system.js'
import { isLong } from '#tests/support/effort'

/*
 * Runs the record of a store and its reconciler against hostile stores, which were written from the
 * vendors' rules alone. An oracle judges them by decisions, true states and announcements only. The
 * long run tries more seeds, and `TEST_SEED` others; a failing one is printed.
 */

const COUNT = Number(process.env.TEST_INTERLEAVINGS ?? (isLong ? 10_000 : 600))
const FROM = Number(process.env.TEST_SEED ?? 1)

const make = (setting: Setting) => new RecordSystem(setting)

test.group('reconciling a hostile store', () => {
  test('ends in the decided state, and announces nothing false', ({ assert }) => {
    const { failures, runs, endings } = explore(make, { from: FROM, count: COUNT })
    assert.equal(failures.map((each) => traceOf(shrink(each, make))).join('\n\n'), '')
    assert.equal(runs, COUNT, `TEST_SEED=${FROM}`)
    assert.isAbove(endings.done, runs)
  }).timeout(3_600_000)

  test('keeps the rules that were broken once: {name}')
    .with([...KEPT, ...KEPT_CROSSINGS])
    .run(({ assert }, { seed, steps }) => {
      const tried = tryScenario({ seed, options: optionsOf(seed), steps }, make)
      assert.equal(tried.findings.length === 0 ? '' : traceOf(tried), '')
    })
})
