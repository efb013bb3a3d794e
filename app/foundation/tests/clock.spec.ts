import fc from 'fast-check'
import { test } from '@japa/runner'
import { OWN_TIME_MS, SystemClock } from '../core/clock.js'
import { DAY } from '../core/durations.js'

const START = Date.parse('2026-11-20T18:50:14.123Z')

/** Makes a clock whose machine time and monotonic time are set by hand. */
function staged() {
  const machine = { at: START, steady: 500.25 }
  const clock = new SystemClock(
    () => machine.at,
    () => machine.steady
  )
  const pass = (milliseconds: number) => {
    machine.at += milliseconds
    machine.steady += milliseconds
  }
  return { machine, clock, pass }
}

test.group("The machine's clock", () => {
  test('shows the machine’s time, even after it was set forward', ({ assert }) => {
    const { machine, clock, pass } = staged()
    assert.equal(clock.now(), '2026-11-20T18:50:14.123Z')
    pass(10)
    assert.equal(clock.milliseconds(), START + 10)
    machine.at += DAY
    assert.equal(clock.milliseconds(), START + 10 + DAY)
  })

  test('continues for two minutes after the machine was set back a day, then follows it', ({
    assert,
  }) => {
    const { machine, clock, pass } = staged()
    clock.now()
    machine.at -= DAY
    for (let passed = 1000; passed < OWN_TIME_MS; passed += 1000) {
      pass(1000)
      assert.equal(clock.milliseconds(), START + passed)
    }
    pass(2000)
    assert.equal(clock.milliseconds(), START - DAY + OWN_TIME_MS + 1000)
    pass(1000)
    assert.equal(clock.milliseconds(), START - DAY + OWN_TIME_MS + 2000)
  })

  test('continues without a jump if the machine is set back and forth again', ({ assert }) => {
    const { machine, clock, pass } = staged()
    clock.now()
    machine.at -= DAY
    pass(30_000)
    assert.equal(clock.milliseconds(), START + 30_000)
    machine.at += DAY
    pass(5)
    assert.equal(clock.milliseconds(), START + 30_005)
    machine.at -= DAY
    pass(OWN_TIME_MS - 1)
    assert.equal(clock.milliseconds(), START + 30_005 + OWN_TIME_MS - 1, 'the two minutes are new')
  })

  test('goes back at most once in two minutes, however the machine is set', () => {
    const steps = fc.array(
      fc.record({
        passed: fc.integer({ min: 0, max: 50_000 }),
        set: fc.integer({ min: -DAY, max: 3000 }),
      })
    )
    fc.assert(
      fc.property(steps, (happened) => {
        const { machine, clock, pass } = staged()
        let last = clock.milliseconds()
        let wentBackAt = -Infinity
        for (const { passed, set } of happened) {
          machine.at += set
          pass(passed)
          const now = clock.milliseconds()
          if (now < last) {
            if (now !== machine.at || machine.steady - wentBackAt < OWN_TIME_MS) return false
            wentBackAt = machine.steady
          }
          last = now
        }
        return true
      })
    )
  })
})
