import { test } from '@japa/runner'
import { InputErrors } from '#foundation/core/problems/input_errors'
import { counted } from '#tests/support/counted'
import { daysAfter } from '../calendar/local_time.js'
import { checkCadence } from '../cadence/check_cadence.js'

const START = '2026-01-05'
const kickoff = { dayOffset: 0, time: '09:00' }
const targets = { kickoff, submit: null, release: null }

/** Makes weekly trains that are each moved into the gap that the next one leaves. */
const moved = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    date: daysAfter(START, 7 * index),
    skipped: false,
    movedTo: daysAfter(START, 7 * index + 8),
    pilotId: null,
  }))

/** Checks a cadence; returns how often its exceptions were read, and how many stay. */
function checked(count: number, startDate: string, intervalWeeks = 1) {
  const exceptions = counted(moved(count))
  const given = { startDate, intervalWeeks, targets, exceptions: exceptions.value }
  const kept = checkCadence(null, given, new InputErrors())!.exceptions.length
  return { kept, reads: exceptions.reads() }
}

test.group('Many exceptions of a cadence', () => {
  test('are removed one by one if the last does not fit, and each is checked a few times only', ({
    assert,
  }) => {
    const [few, many] = [25, 200].map((count) => checked(count, START))
    // The next train begins where the last one would be.
    assert.deepEqual([few.kept, many.kept], [0, 0])
    assert.isAtMost(many.reads, 8.5 * few.reads)
  })

  test('are removed if their train does not exist in the changed cadence', ({ assert }) => {
    const [few, many] = [25, 200].map((count) => checked(count, START, 2))
    assert.deepEqual([few.kept, many.kept], [13, 100])
    assert.isAtMost(many.reads, 8.5 * few.reads)
  })
})
