import { test } from '@japa/runner'
import type { RolloutOutlookEntity } from '#rollouts/outlook_entity'
import { policyFrom } from '#rollouts/policy/policy'
import { exampleReader } from '../../tests/example_reader.js'
import type { PolicyAnswers } from '../answers.js'
import { policyView } from '../view.js'

const POLICY = policyFrom({
  ladder: [
    { percentage: 5, hours: 24 },
    { percentage: 100, hours: 0 },
  ],
  guard: {
    metrics: [{ name: 'crashFreeUsers', source: 'crashMonitoring', measure: 'crashFreeUsers' }],
  },
})

const OUTLOOK: RolloutOutlookEntity = {
  policy: POLICY,
  isApple: false,
  startsAt: '2026-11-20T08:00:00.000Z',
  rungs: [
    { percentage: 5, hours: 24, expectedAt: '2026-11-20T08:00:00.000Z', because: 'policy' },
    { percentage: 100, hours: 0, expectedAt: '2026-11-24T08:00:00.000Z', because: 'numbers' },
  ],
  closed: [],
  metrics: [
    {
      ...{ name: 'crashFreeUsers', unit: 'users', knownDays: 14 },
      ...{ daily: { of: 20_000, bad: 100 }, harmedAtMost: 100 },
      rungs: [
        {
          ...{ percentage: 5, days: 4, counted: { of: 4000, bad: 20 } },
          ...{ stopsAt: 60, growsUpTo: 0.01 },
        },
      ],
    },
  ],
}

const view = (outlook: Partial<RolloutOutlookEntity>, more: Partial<PolicyAnswers> = {}) =>
  policyView(
    {
      app: { id: 'acme', name: 'Acme', platform: 'android', appGroup: null, destinations: [] },
      ...{ destinationId: null, stored: POLICY, tag: '"1"', isPreview: false, typed: null },
      outlook: { ...OUTLOOK, ...outlook },
      ...more,
    },
    { reader: exampleReader, refused: null }
  )

test.group('The view of a rollout policy', () => {
  test('says when all users get a version, what that waits for, and what stops it', ({
    assert,
  }) => {
    const { lines, ladder, metrics, heading } = view({}).outlook
    assert.equal(heading, 'How it goes')
    assert.deepEqual(lines, [
      'If it starts tomorrow 09:00 and stays healthy, all users have it Tue 24 Nov, 09:00.',
      'Each stage waits for the numbers that justify the next, as far as this app is known.',
    ])
    assert.equal(
      ladder!.title,
      'Share of users if it stays healthy: 5\u00a0% from tomorrow 09:00, 100\u00a0% from Tue 24 Nov, 09:00'
    )
    assert.deepEqual(metrics[0].lines, [
      '20 k users a day, of which 0.5\u00a0% went wrong in the version before: counted in the last rollouts.',
      'The budget of 0.5\u00a0% lets a new version harm 100 of them a day at most.',
    ])
    assert.deepEqual(metrics[0].plot!.table.rows, [
      ['5\u00a0%', '4', '4,000', '20', '1\u00a0%', '60'],
    ])
  })

  test('says what is not known, and that a share is never reached', ({ assert }) => {
    const unknown = { daily: null, harmedAtMost: null, rungs: [] }
    const [metric] = OUTLOOK.metrics
    const of = (knownDays: number) =>
      view({ metrics: [{ ...metric, ...unknown, knownDays }] }).outlook.metrics[0]
    assert.match(of(0).lines[0], /^It is not known yet how many users this app has/)
    assert.match(of(3).lines[0], /is known for 3 days only, which is too few/)
    assert.isNull(of(3).plot)
    const rungs = [OUTLOOK.rungs[0], { ...OUTLOOK.rungs[1], expectedAt: null }]
    assert.include(
      view({ rungs }).outlook.lines[0],
      'it never reaches all users: no number of users that this app has justifies growth beyond 5\u00a0%.'
    )
    const few = { ...metric, rungs: [{ ...metric.rungs[0], stopsAt: null }] }
    assert.include(view({ metrics: [few] }).outlook.metrics[0].lines[2], 'no number of crashes')
  })

  test('has no fields for a ladder or hours for the App Store, which has its own', ({ assert }) => {
    assert.lengthOf(view({}).form.hours, 3)
    const { form } = view({ isApple: true })
    assert.deepEqual([form.ladder, form.hours], [null, []])
  })

  test('has a tab for each of several stores, the first without an id in its address', ({
    assert,
  }) => {
    const app = { id: 'acme', name: 'Acme', platform: 'android', appGroup: null }
    const destinations = [
      { id: 'dest_1', name: 'Google Play' },
      { id: 'dest_2', name: 'Acme for Business' },
    ]
    assert.deepEqual(view({}).stores, [])
    const { stores } = view({}, { app: { ...app, destinations }, destinationId: 'dest_2' })
    assert.deepEqual(
      stores.map(({ href, isHere }) => [href, isHere]),
      [
        ['/dashboard/app/acme/rolloutPolicy', false],
        ['/dashboard/app/acme/rolloutPolicy?destinationId=dest_2', true],
      ]
    )
  })
})
