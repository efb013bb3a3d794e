import { test } from '@japa/runner'
import fc from 'fast-check'
import { MAX_JITTER, lastingWait, nextInterval, retryWait } from '../retry.js'
import { shareOut, type Due } from '../share_out.js'

const LANES: readonly string[] = ['a', 'b', 'c', 'd']
const lane = fc.constantFrom(...LANES)
const due: fc.Arbitrary<Due[]> = fc
  .array(lane, { maxLength: 40 })
  .map((lanes) => lanes.map((each, index) => ({ id: String(index), lane: each })))
const running = fc
  .array(fc.tuple(lane, fc.integer({ min: 1, max: 4 })))
  .map((counts) => new Map(counts))
const room = fc.integer({ min: 0, max: 10 })
const most = fc.integer({ min: 1, max: 6 })

const countOf = (list: readonly Due[], of: string) => list.filter((each) => each.lane === of).length

test.group('Sharing out', () => {
  test('chooses no more jobs than there is room for, and no lane gets more than its maximum', ({
    assert,
  }) => {
    fc.assert(
      fc.property(due, running, room, most, (list, held, free, mostEach) => {
        const chosen = shareOut(list, held, free, mostEach)
        assert.isAtMost(chosen.length, free)
        assert.lengthOf(new Set(chosen), chosen.length)
        for (const each of LANES) {
          const before = held.get(each) ?? 0
          assert.isAtMost(countOf(chosen, each), Math.max(0, mostEach - before))
        }
      })
    )
  })

  test('leaves no room unused that a lane may have', ({ assert }) => {
    fc.assert(
      fc.property(due, running, room, most, (list, held, free, mostEach) => {
        const possible = LANES.reduce((sum, each) => {
          const may = Math.max(0, mostEach - (held.get(each) ?? 0))
          return sum + Math.min(may, countOf(list, each))
        }, 0)
        assert.lengthOf(shareOut(list, held, free, mostEach), Math.min(free, possible))
      })
    )
  })

  test('gives no lane another job while a waiting lane has fewer', ({ assert }) => {
    fc.assert(
      fc.property(due, running, room, most, (list, held, free, mostEach) => {
        const chosen = shareOut(list, held, free, mostEach)
        const after = (each: string) => (held.get(each) ?? 0) + countOf(chosen, each)
        for (const { lane: given } of chosen) {
          for (const each of LANES) {
            const stillWaits = countOf(list, each) > countOf(chosen, each)
            if (stillWaits && after(each) < mostEach) {
              assert.isAtMost(after(given), after(each) + 1)
            }
          }
        }
      })
    )
  })

  test('takes the oldest jobs of an organization first', ({ assert }) => {
    fc.assert(
      fc.property(due, running, room, most, (list, held, free, mostEach) => {
        const chosen = shareOut(list, held, free, mostEach)
        for (const each of LANES) {
          const ids = (of: readonly Due[]) => of.filter((one) => one.lane === each)
          assert.deepEqual(ids(chosen), ids(list).slice(0, ids(chosen).length))
        }
      })
    )
  })
})

test.group('Waits', () => {
  const policy = { steps: [10, 100, 1000] }

  test('are the steps of the policy, then null; jitter only lengthens them', ({ assert }) => {
    const without = [1, 2, 3, 4].map((made) => retryWait(policy, made, () => 0))
    assert.deepEqual(without, [10, 100, 1000, null])
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.integer({ min: 0, max: 5000 }),
        (made, chance, least) => {
          const wait = retryWait(policy, made, () => chance, least)!
          const step = Math.max(policy.steps[made - 1], least)
          assert.isAtLeast(wait, step)
          assert.isAtMost(wait, step * (1 + MAX_JITTER))
        }
      )
    )
  })

  test('repeat the last step for a job that is never given up', ({ assert }) => {
    const waits = [1, 2, 3, 4, 50].map((made) => lastingWait(policy, made, () => 0))
    assert.deepEqual(waits, [10, 100, 1000, 1000, 1000])
  })

  test('of an observation stay between its least and its most', ({ assert }) => {
    const every = { least: 60, most: 500 }
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 20 }), (changes) => {
        let last: number | null = null
        for (const hasChanged of changes) {
          const next: number = nextInterval(every, last, hasChanged)
          assert.isTrue(next >= every.least && next <= every.most)
          if (hasChanged) assert.equal(next, every.least)
          else if (last !== null) assert.equal(next, Math.min(2 * last, every.most))
          last = next
        }
      })
    )
  })
})
