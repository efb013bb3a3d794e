import { test } from '@japa/runner'
import {
  exampleListedRehearsal,
  exampleRehearsal,
  type RehearsalEntity,
} from '#simulation/rehearsals/entities'
import { exampleReader } from '../../tests/example_reader.js'
import { rehearseForm } from '../forms.js'
import { rehearsalsView, rehearsalView } from '../view.js'

const app = { id: 'acme-ios', name: 'Acme Shop', platform: 'ios', appGroup: null } as never
const params = { appId: 'acme-ios', rehearsalId: exampleRehearsal.id }
const call = { reader: exampleReader, refused: null, params, query: {} }
const at = (text: string) => `2026-11-${text}:00.000Z`
const qa = [{ type: 'group', name: 'QA' }]

const played: RehearsalEntity = {
  ...exampleRehearsal,
  state: 'played',
  endedAt: at('16T08:01'),
  result: {
    ...{ begin: at('16T08:00'), end: at('30T08:00'), left: 3 },
    story: {
      releases: [
        {
          ...{ version: '4.3.0', releaseType: 'minor', status: 'completed', phase: 'released' },
          ...{
            kickedOffAt: at('17T08:00'),
            submittedAt: at('20T08:00'),
            approvedAt: at('21T08:00'),
          },
          ...{ releasedAt: at('21T09:00'), completedAt: at('28T09:00') },
          spans: [
            {
              from: at('17T08:00'),
              to: at('20T08:00'),
              step: 'Regression',
              code: 'item_blocked',
              who: qa,
            },
            {
              ...{ from: at('20T08:00'), to: at('28T09:00'), step: 'Rollout', code: 'rolling_out' },
              who: [{ type: 'store', name: 'App Store' }],
            },
          ],
          steps: [{ name: 'Kickoff', at: at('17T08:00') }],
        },
      ],
      freezes: [{ from: at('24T00:00'), to: at('27T00:00'), name: 'Thanksgiving' }],
    },
    entries: [
      { at: at('17T08:00'), kind: 'happened', text: '4.3.0 was kicked off (Ada)' },
      { at: at('18T08:00'), kind: 'refused', text: 'Ada could not help' },
      { at: at('18T09:00'), kind: 'world', text: 'The App Store is away' },
    ],
    sent: [{ to: '#releases', count: 12, what: 'messages' }],
    asked: [{ provider: 'apple', changes: 4, refused: 1 }],
    standIns: [{ integration: 'store', type: 'app-store-connect', standIn: 'sim-apple' }],
  },
}

test.group('The view of a rehearsal', () => {
  test('draws the story, and lists the events with their times and the longest waits', ({
    assert,
  }) => {
    const view = rehearsalView({ app, rehearsal: played }, call)
    assert.deepEqual(
      [view.pollSeconds, view.isUnderWay, view.stop, view.progress],
      [null, false, null, null]
    )
    assert.equal(view.sentence.head, 'From 16 Nov to 30 Nov, 1 release of 1 reaches users.')
    assert.equal(view.sentence.rest, 'The longest wait: Rollout of 4.3.0, 8 d 1 h, for App Store.')
    const { chart, moments, waits, days, left, report } = view.result!
    for (const text of ['4.3.0 · Released', 'Thanksgiving', 'Regression: 3 d 0 h for QA']) {
      assert.include(chart!.svg, text)
    }
    assert.deepEqual(
      waits.map(({ step, who, text }) => [step, who, text]),
      [
        ['Rollout', 'App Store', '8 d 1 h'],
        ['Regression', 'QA', '3 d 0 h'],
      ]
    )
    assert.deepEqual(
      moments.map(({ text }) => text),
      [
        '4.3.0 is kicked off',
        '4.3.0 has an item that failed or is blocked',
        'Ada could not help',
        'The App Store is away',
        '4.3.0 is submitted',
        '4.3.0 is approved by the store',
        '4.3.0 reaches its first users',
        '4.3.0 is complete',
      ]
    )
    assert.deepEqual(
      days.map(({ day, count }) => [day, count]),
      [
        ['17 Nov', '1 entry'],
        ['18 Nov', '2 entries'],
      ]
    )
    assert.isTrue(days.every(({ entries }) => entries.length === 0))
    const day = rehearsalView({ app, rehearsal: played }, { ...call, query: { day: '2026-11-18' } })
    assert.deepEqual(
      day.result!.days.map(({ entries }) => entries.length),
      [0, 2]
    )
    assert.match(days[1].href, /\?day=2026-11-18#everything$/)
    assert.include(left, '3 entries')
    assert.deepEqual(
      report.map(({ lines }) => lines),
      [
        ['#releases: 12 messages'],
        ['apple: 4 calls, 1 of them refused'],
        ['store (app-store-connect): sim-apple'],
      ]
    )
  })

  test('shows each submission before its rejection, and no empty sections', ({ assert }) => {
    const [release] = played.result!.story.releases
    const span = (from: string, to: string, code: string) => ({
      ...{ from: at(from), to: at(to), step: 'Review', code },
      who: [{ type: 'store', name: 'App Store' }],
    })
    const spans = [
      span('17T08:00', '18T08:00', 'waiting_for_review'),
      span('18T08:00', '18T09:00', 'in_review'),
      span('18T09:00', '20T08:00', 'review_rejected'),
      span('20T08:00', '21T08:00', 'waiting_for_review'),
    ]
    const planned = {
      ...release,
      version: '4.4.0',
      kickedOffAt: null,
      submittedAt: null,
      spans: [],
    }
    const story = {
      releases: [
        { ...planned, approvedAt: null, releasedAt: null, completedAt: null },
        { ...release, spans },
      ],
      freezes: [],
    }
    const none = { sent: [], asked: [], standIns: [] }
    const rehearsal = { ...played, result: { ...played.result!, story, entries: [], ...none } }
    const { result, sentence } = rehearsalView({ app, rehearsal }, call)
    assert.deepEqual(
      result!.moments.slice(0, 4).map(({ text }) => text),
      [
        '4.3.0 is kicked off',
        '4.3.0 is submitted, 2 times',
        '4.3.0 is rejected by the store',
        '4.3.0 is approved by the store',
      ]
    )
    assert.equal(sentence.head, 'From 16 Nov to 30 Nov, 1 release of 2 reaches users.')
    // A release that was not kicked off has no lane.
    assert.notInclude(result!.chart!.svg, '4.4.0')
    assert.deepEqual(result!.report, [])
  })

  test('offers the scenarios of the platform, and links to a rehearsal that is under way', ({
    assert,
  }) => {
    const offered = (platform: string) =>
      rehearsalsView(
        { app: { ...(app as object), platform } as never, rehearsals: [] },
        call
      ).form!.scenario.options.map(({ value }) => value)
    assert.include(offered('ios'), 'metadata-rejected')
    assert.notInclude(offered('android'), 'metadata-rejected')
    assert.include(offered('android'), 'rejected')
    const { form, underWay } = rehearsalsView({ app, rehearsals: [exampleListedRehearsal] }, call)
    assert.isNull(form)
    assert.include(underWay!, exampleListedRehearsal.id)
  })

  test('shows its progress, and polls until it is over', ({ assert }) => {
    const view = rehearsalView({ app, rehearsal: exampleRehearsal }, call)
    assert.deepEqual([view.pollSeconds, view.isUnderWay, view.result], [2, true, null])
    assert.deepEqual(view.progress, { days: 21, day: 8, text: 'Day 8 of 21' })
    assert.match(view.stop!.action, /\/rehearsal\/.+\/stop$/)
    const guest = { ...exampleReader, may: () => false }
    assert.isNull(
      rehearsalView({ app, rehearsal: exampleRehearsal }, { ...call, reader: guest }).stop
    )
    for (const [members, head] of [
      [
        { state: 'waiting', playedTo: null, createdAt: exampleReader.now },
        'It starts in a moment.',
      ],
      [{ state: 'waiting', playedTo: null }, 'It is waiting for its turn.'],
      [{ state: 'stopped' }, 'It was stopped.'],
      [{ state: 'failed', failure: 'The rehearsal failed: no' }, 'It could not be run.'],
    ] as const) {
      const rehearsal = { ...exampleRehearsal, ...members } as RehearsalEntity
      assert.equal(rehearsalView({ app, rehearsal }, call).sentence.head, head)
    }
    const empty = { ...played, result: { ...played.result!, story: { releases: [], freezes: [] } } }
    const none = rehearsalView({ app, rehearsal: empty }, call)
    assert.deepEqual([none.sentence.head, none.result!.chart], ['Nothing happened.', null])
  })

  test('offers weeks and scenarios to those who may, and lists the last rehearsals', ({
    assert,
  }) => {
    const over = { ...exampleListedRehearsal, state: 'played' as const }
    const view = rehearsalsView({ app, rehearsals: [over] }, call)
    const chosen = (options: readonly { isOn: boolean; label: string }[]) =>
      options.filter(({ isOn }) => isOn).map(({ label }) => label)
    assert.deepEqual(chosen(view.form!.weeks.options), ['3 weeks'])
    assert.deepEqual(chosen(view.form!.scenario.options), ['Nothing goes wrong'])
    assert.equal(view.rows[0].text, 'The store rejects the first submission')
    // An invalid value is sent to be refused, and not replaced by the default.
    const sent = (weeks: string) =>
      (rehearseForm.request({ params, fields: { weeks } } as never) as { body: object }).body
    assert.deepEqual(
      ['2', '0', 'abc'].map((weeks) => Object.values(sent(weeks))[0]),
      [2, 0, 'abc']
    )
    const guest = { ...exampleReader, may: () => false }
    assert.isNull(rehearsalsView({ app, rehearsals: [] }, { ...call, reader: guest }).form)
  })
})
