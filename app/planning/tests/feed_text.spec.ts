import { test } from '@japa/runner'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { feedText, type FeedApp } from '../feeds/feed_text.js'
import type { Scheduled } from '../queries/release_schedule.js'
import type { NamedFreeze } from '../tables.js'
import { runs } from '#tests/support/effort'

/*
 * The feeds that calendar programs get, read back by another library than the one that writes them.
 */

const entry: Scheduled['entry'] = {
  releaseId: 'acme-ios:4.2.0',
  version: '4.2.0',
  predicted: false,
  trainDate: null,
  targetKickoffAt: '2026-11-16T09:00:00.000Z',
  targetSubmitAt: null,
  targetReleaseAt: null,
  pilot: { id: 'usr_1', email: 'grace@acme.example', name: 'Grace Hopper', predicted: false },
  frozenBy: [],
  status: 'active',
}
const changedAt = '2026-11-02T09:00:00.000Z'
const drafted: Scheduled = { key: 'acme-ios-2026-11-16', changedAt, entry }
const freeze: NamedFreeze = {
  id: 'frz_1',
  name: 'Holidays',
  startAt: '2026-12-21T00:00:00.000Z',
  endAt: '2027-01-04T00:00:00.000Z',
  phases: ['submit', 'release'],
  createdAt: changedAt,
}

const text = (app: Partial<FeedApp>, name = 'Releases') =>
  feedText({
    name,
    apps: [{ name: 'Acme iOS', urlOf: () => null, scheduled: [], freezes: [], ...app }],
  })

/** Returns the events of a document, as another library understands them. */
function read(document: string) {
  const calendar = new ICAL.Component(ICAL.parse(document) as unknown[])
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component)
    const value = (name: string) => component.getFirstPropertyValue(name)?.toString() ?? null
    return {
      uid: event.uid,
      summary: event.summary,
      description: event.description,
      start: event.startDate.toJSDate().toISOString(),
      end: event.endDate.toJSDate().toISOString(),
      zone: event.startDate.zone.tzid,
      status: value('status'),
      url: value('url'),
    }
  })
}

test.group('A calendar', () => {
  test('links to the page of a release, or to that of the app for a predicted one', ({
    assert,
  }) => {
    const train = { ...drafted, key: 'next', entry: { ...entry, releaseId: null, predicted: true } }
    const app = {
      scheduled: [drafted, train],
      freezes: [freeze],
      urlOf: (releaseId: string | null) => `https://tarmac.acme.example/${releaseId ?? 'app'}`,
    }
    assert.deepEqual(
      read(text(app)).map(({ url }) => url),
      [
        'https://tarmac.acme.example/acme-ios:4.2.0',
        'https://tarmac.acme.example/app',
        'https://tarmac.acme.example/app',
      ]
    )
  })

  test('shows each target date with its pilot, and no link if the service has no public address', ({
    assert,
  }) => {
    const targets = { targetSubmitAt: '2026-11-19T08:30:00.000Z' }
    const events = read(text({ scheduled: [{ ...drafted, entry: { ...entry, ...targets } }] }))
    assert.deepEqual(events, [
      {
        uid: 'acme-ios-2026-11-16-kickoff@tarmac',
        summary: 'Acme iOS 4.2.0: kickoff',
        description: 'Pilot: Grace Hopper\nStatus: active',
        start: '2026-11-16T09:00:00.000Z',
        end: '2026-11-16T09:30:00.000Z',
        zone: 'UTC',
        status: 'CONFIRMED',
        url: null,
      },
      {
        ...events[0],
        uid: 'acme-ios-2026-11-16-submit@tarmac',
        summary: 'Acme iOS 4.2.0: submission for review',
        start: '2026-11-19T08:30:00.000Z',
        end: '2026-11-19T09:00:00.000Z',
      },
    ])
  })

  test('shows predicted trains as tentative, and skipped releases not at all', ({ assert }) => {
    const predicted = { releaseId: null, version: '4.3.0', predicted: true }
    const [event, ...more] = read(
      text({
        scheduled: [
          { ...drafted, entry: { ...entry, ...predicted, status: 'upcoming' } },
          { ...drafted, key: 'other', entry: { ...entry, status: 'skipped' } },
        ],
      })
    )
    assert.lengthOf(more, 0)
    assert.containsSubset(event, {
      summary: 'Acme iOS 4.3.0: kickoff (predicted)',
      status: 'TENTATIVE',
    })
    assert.include(event.description, 'there is no release yet')
  })

  test('shows freezes, and which dates lie in one', ({ assert }) => {
    const targets = { targetKickoffAt: null, targetSubmitAt: '2026-12-22T09:00:00.000Z' }
    const scheduled = [{ ...drafted, entry: { ...entry, ...targets } }]
    const [date, frozen] = read(text({ scheduled, freezes: [freeze] }))
    assert.include(date.description, 'Falls into the freeze Holidays')
    assert.containsSubset(frozen, {
      summary: 'Acme iOS: freeze Holidays (submit, release)',
      start: freeze.startAt,
      end: freeze.endAt,
    })
  })

  test('keeps every instant across clock changes, and gives the same bytes for the same schedule', ({
    assert,
  }) => {
    const instants = [
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:30:00.000Z',
      '2028-02-29T23:59:00.000Z',
    ]
    const scheduled = instants.map((targetKickoffAt, index) => ({
      ...drafted,
      key: `train-${index}`,
      entry: { ...entry, targetKickoffAt },
    }))
    assert.deepEqual(
      read(text({ scheduled })).map(({ start }) => start),
      instants
    )
    assert.equal(text({ scheduled }), text({ scheduled }))
  })

  test('can be read by another library, whatever names people give', ({ assert }) => {
    const strange = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.constantFrom('a,b;c\\n:"d"', 'BEGIN:VEVENT\r\nEND:VEVENT', '\ud800', '', '日本'.repeat(60))
    )
    fc.assert(
      fc.property(strange, strange, (name, title) => {
        const freezes = [{ ...freeze, name: title }]
        const document = text({ name, scheduled: [drafted], freezes }, title)
        for (const line of document.split('\r\n')) {
          assert.isAtMost(Buffer.byteLength(line), 75)
          assert.notMatch(line, /[\r\n]/)
        }
        const events = read(document)
        assert.lengthOf(events, 2)
        const spoken = (reported: string) =>
          reported.toWellFormed().replace(/\p{Cc}/gu, (each) => (each === '\n' ? each : ' '))
        const calendar = new ICAL.Component(ICAL.parse(document) as unknown[])
        // The reader leaves the text of a non-standard property as it is written.
        const called = String(calendar.getFirstPropertyValue('x-wr-calname') ?? '')
        assert.equal(
          called.replace(/\\(.)/g, (_, each) => (each === 'n' ? '\n' : each)),
          spoken(title)
        )
        assert.equal(events[0].summary, `${spoken(name)} 4.2.0: kickoff`)
        assert.equal(
          events[1].summary,
          `${spoken(name)}: freeze ${spoken(title)} (submit, release)`
        )
      }),
      { numRuns: runs(30) }
    )
  })
})
