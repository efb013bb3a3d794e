import assert from 'node:assert/strict'
import type { ProductAnalyticsScenario } from '../../fake/scenario.js'
import type { KindSuite } from './suite.js'

const EVENT = 'checkout_done'
const DAY = '2026-11-19'
const QUERY = {
  eventName: EVENT,
  from: `${DAY}T00:00:00.000Z`,
  to: '2026-11-20T00:00:00.000Z',
  granularity: 'hour',
  metric: 'totals',
} as const

const VALUES: [at: string, value: number][] = [
  ['2026-11-18T23:00:00.000Z', 1000],
  [`${DAY}T00:00:00.000Z`, 10],
  [`${DAY}T01:00:00.000Z`, 20],
  [`${DAY}T23:00:00.000Z`, 12],
  ['2026-11-20T00:00:00.000Z', 2000],
  ['2026-11-20T11:00:00.000Z', 7],
]

function scenarioOf(count?: number): { productAnalytics: ProductAnalyticsScenario } {
  const events = [
    { name: EVENT, params: ['currency', 'total'] },
    { name: 'screen_seen', params: [] },
  ]
  const many = Array.from({ length: count ?? 0 }, (_, index) => ({
    name: `event_${index}`,
    params: [],
  }))
  return {
    productAnalytics: {
      events: count === undefined ? events : many,
      points: VALUES.map(([at, value]) => ({ event: EVENT, at, value })),
      shares: [{ version: '1.2.3', share: 0.25 }],
    },
  }
}

const sumOf = (points: { value: number }[]) => points.reduce((sum, { value }) => sum + value, 0)

/** Events of an app, how often they come, and how far a version has spread. */
export const productAnalytics: KindSuite<'productAnalytics'> = {
  kind: 'productAnalytics',
  scenario: () => scenarioOf(),
  read: (capability) => capability.series(QUERY),
  list: {
    scenario: (count) => scenarioOf(count),
    page: (capability, cursor) => capability.listEvents('', cursor),
    idOf: (item) => (item as { name: string }).name,
  },
  tour: (capability) => [
    () => capability.listEvents('check'),
    () => capability.series(QUERY),
    () => capability.adoption?.('1.2.3', QUERY.from, QUERY.to),
  ],
  rules: [
    {
      id: 'C1',
      title: 'events are found by a part of their name, with what they carry',
      async run(_bench, capability) {
        const { items } = await capability.listEvents('check')
        assert.deepEqual(
          items.map(({ name, params }) => [name, [...params].sort()]),
          [[EVENT, ['currency', 'total']]]
        )
      },
    },
    {
      id: 'C2',
      title: 'a series has what came from its first instant until before its last',
      async run(_bench, capability) {
        const { points } = await capability.series(QUERY)
        const values = points.filter(({ value }) => value !== 0)
        assert.deepEqual(
          values.map(({ at, value }) => [Date.parse(at), value]),
          VALUES.slice(1, 4).map(([at, value]) => [Date.parse(at), value])
        )
      },
    },
    {
      id: 'C3',
      title: 'days are those of UTC, and add up',
      async run(_bench, capability) {
        const { points } = await capability.series({ ...QUERY, granularity: 'day' })
        const days = points.filter(({ value }) => value !== 0)
        assert.deepEqual(
          days.map(({ at, value }) => [at.slice(0, 10), value]),
          [[DAY, 42]]
        )
      },
    },
    {
      id: 'C4',
      title: 'a series that reaches into time to come is partial, one that is over is not',
      async run(bench, capability) {
        const to = new Date(bench.nowMs + 3_600_000).toISOString()
        const both = [await capability.series(QUERY), await capability.series({ ...QUERY, to })]
        assert.deepEqual(
          both.map(({ partial }) => partial),
          [false, true]
        )
      },
    },
    {
      id: 'C5',
      title: 'an event that never came adds up to nothing',
      async run(_bench, capability) {
        const { points } = await capability.series({ ...QUERY, eventName: 'screen_seen' })
        assert.equal(sumOf(points), 0)
      },
    },
    {
      id: 'C6',
      title: 'how far a version has spread is a share from 0 to 1; null where nobody knows',
      feature: 'adoption',
      async run(_bench, capability) {
        const known = await capability.adoption!('1.2.3', QUERY.from, QUERY.to)
        assert.equal(known?.share, 0.25)
        assert.equal(await capability.adoption!('9.9.9', QUERY.from, QUERY.to), null)
      },
    },
  ],
}
