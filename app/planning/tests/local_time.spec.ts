import fc from 'fast-check'
import { test } from '@japa/runner'
import {
  dateIn,
  daysAfter,
  daysBetween,
  instantOf,
  isLocalDate,
  isZone,
  shownFrom,
} from '#planning/calendar/local_time'
import { MINUTE } from '#foundation/core/durations'
import { runs } from '#tests/support/effort'

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Casablanca',
  'America/St_Johns',
  'Pacific/Chatham',
]

const formats = new Map(
  ZONES.map((zone) => [
    zone,
    new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    }),
  ])
)

/** Returns the time on wall clocks, `YYYY-MM-DDTHH:mm`. */
function wallAt(zone: string, time: number): string {
  const parts = formats.get(zone)!.formatToParts(time)
  const of = (type: string) => parts.find((part) => part.type === type)!.value
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`
}

/**
 * Finds the first quarter of an hour at which a wall clock shows a time, from two days before. A
 * time that is never shown is later by as much as the clock jumped.
 */
function naiveInstant(zone: string, date: string, time: string): string {
  const wanted = `${date}T${time}`
  const near = Date.parse(`${wanted}:00.000Z`)
  let last = near - 48 * 60 * MINUTE
  for (let at = last; at <= near + 48 * 60 * MINUTE; at += 15 * MINUTE) {
    const shown = wallAt(zone, at)
    if (shown === wanted) return new Date(at).toISOString()
    if (shown > wanted) {
      const missing = near - Date.parse(`${wallAt(zone, last)}:00.000Z`)
      return new Date(last + missing).toISOString()
    }
    last = at
  }
  throw new Error(`The clocks of ${zone} never come to ${wanted}`)
}

const day = fc.integer({ min: 0, max: 366 * 12 }).map((days) => daysAfter('2020-01-01', days))
const quarter = fc
  .integer({ min: 0, max: 95 })
  .map(
    (each) =>
      `${String(Math.floor(each / 4)).padStart(2, '0')}:${String((each % 4) * 15).padStart(2, '0')}`
  )

test.group('A local time', () => {
  test('is the instant at which a wall clock shows it', ({ assert }) => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), day, quarter, (zone, date, time) => {
        assert.equal(instantOf(zone, date, time), naiveInstant(zone, date, time))
      }),
      { numRuns: runs(300) }
    )
  })

  test('is right around every clock change of some years', ({ assert }) => {
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']) {
      const offsetOf = (date: string) =>
        Date.parse(`${date}T12:00:00Z`) - Date.parse(instantOf(zone, date, '12:00'))
      for (let days = 0; days < 366 * 3; days++) {
        const [date, next] = [daysAfter('2026-01-01', days), daysAfter('2026-01-01', days + 1)]
        if (offsetOf(date) === offsetOf(next)) continue
        for (const each of [date, next]) {
          for (const time of ['00:00', '01:00', '01:30', '02:00', '02:15', '02:30', '03:00']) {
            assert.equal(instantOf(zone, each, time), naiveInstant(zone, each, time))
          }
        }
      }
    }
  })

  test('that clocks skip is later by as much as they moved', ({ assert }) => {
    assert.equal(instantOf('Europe/Berlin', '2027-03-28', '02:30'), '2027-03-28T01:30:00.000Z')
    assert.equal(
      instantOf('Australia/Lord_Howe', '2026-10-04', '02:15'),
      '2026-10-03T15:45:00.000Z'
    )
    // A day that was skipped.
    assert.equal(instantOf('Pacific/Apia', '2011-12-30', '10:00'), '2011-12-30T20:00:00.000Z')
  })

  test('that clocks skip is passed when they go forward', ({ assert }) => {
    assert.equal(shownFrom('Europe/Berlin', '2026-03-29', '02:45'), '2026-03-29T01:00:00.000Z')
    assert.equal(shownFrom('Europe/Berlin', '2026-03-29', '03:00'), '2026-03-29T01:00:00.000Z')
    assert.equal(shownFrom('Europe/Berlin', '2026-03-29', '01:59'), '2026-03-29T00:59:00.000Z')
    assert.equal(
      shownFrom('Australia/Lord_Howe', '2026-10-04', '02:15'),
      '2026-10-03T15:30:00.000Z'
    )
    assert.equal(shownFrom('Pacific/Apia', '2011-12-30', '10:00'), '2011-12-30T10:00:00.000Z')
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), day, quarter, (zone, date, time) => {
        const at = Date.parse(shownFrom(zone, date, time))
        assert.isTrue(wallAt(zone, at) >= `${date}T${time}`)
        assert.isTrue(wallAt(zone, at - MINUTE) < `${date}T${time}`)
      }),
      { numRuns: runs(300) }
    )
  })

  test('that comes twice is the first of the two', ({ assert }) => {
    assert.equal(instantOf('Europe/Berlin', '2026-10-25', '02:30'), '2026-10-25T00:30:00.000Z')
    assert.equal(instantOf('America/New_York', '2026-11-01', '01:30'), '2026-11-01T05:30:00.000Z')
  })

  test('converts back to its day', ({ assert }) => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), day, (zone, date) => {
        assert.equal(dateIn(zone, instantOf(zone, date, '12:00')), date)
      })
    )
  })
})

test.group('A day', () => {
  test('is counted through leap days and year ends', ({ assert }) => {
    assert.equal(daysAfter('2028-02-28', 1), '2028-02-29')
    assert.equal(daysAfter('2027-02-28', 1), '2027-03-01')
    assert.equal(daysAfter('2026-12-31', 1), '2027-01-01')
    fc.assert(
      fc.property(day, fc.integer({ min: -800, max: 800 }), (date, days) => {
        let walked = date
        for (let step = 0; step < Math.abs(days); step++)
          walked = daysAfter(walked, Math.sign(days))
        assert.equal(daysAfter(date, days), walked)
        assert.equal(daysBetween(date, walked), days)
      }),
      { numRuns: runs(20) }
    )
  })

  test('and a zone are told from texts that only look like one', ({ assert }) => {
    for (const text of ['2027-02-29', '2026-13-01', '2026-1-1', '0000-01-01', '20260101', '']) {
      assert.isFalse(isLocalDate(text), text)
    }
    assert.isTrue(isLocalDate('2028-02-29'))
    for (const name of ['Europe/Atlantis', '+02:00', '', 'local', 'system', 'Europe/Berlin ']) {
      assert.isFalse(isZone(name), name)
    }
    assert.isTrue(isZone('Europe/Berlin'))
  })
})
