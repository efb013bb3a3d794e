import { curveStepAfter, line } from 'd3-shape'
import type { Instant } from '#foundation/core/clock'
import { html } from '#foundation/api/http/html'
import { percentText } from '../words/numbers.js'
import { inSentence, timeText, type TimeReader } from '../words/times.js'
import {
  beside,
  drawing,
  HEIGHT,
  inside,
  level,
  path,
  stretched,
  WIDTH,
  type ChartView,
} from './chart.js'
import { spanOf, type Closed } from './closed.js'
import { dayLines, dayNames, timeAxis } from './time_axis.js'

/** A rung of the forecast. */
export interface ForeseenRung {
  percentage: number
  hours: number
  /** Null if it is never reached. */
  expectedAt: Instant | null
  because: string
}

const TALL = 168
const [TOP, BOTTOM] = [8, 146]
const INNER = { y: 18, height: 128 }

/** The least distance between labels: a rung that is nearer to the last label has none. */
const LABELLED_FROM = 0.07

/** Draws the ladder of a policy: the share of users over time, and days without growth. */
export function ladderChart(
  rungs: readonly ForeseenRung[],
  closed: readonly Closed[],
  { id, reader }: { id: string; reader: TimeReader }
): ChartView {
  const reached = rungs.flatMap(({ percentage, expectedAt }) =>
    expectedAt === null ? [] : [{ percentage, at: expectedAt }]
  )
  const axis = timeAxis(
    reached.map(({ at }) => at),
    reader
  )
  const points = reached.map(({ at, percentage }): [number, number] => [
    axis.placeOf(at),
    HEIGHT * (1 - inside(percentage / 100)),
  ])
  const steps = line<[number, number]>()
    .x(([place]) => WIDTH * inside(place))
    .y(([, y]) => y)
    .curve(curveStepAfter)
    .digits(1)
  const last = points.at(-1)
  const title = titleOf(rungs, reader)
  let labelled = -1
  const svg = drawing(id, TALL, title, [
    ...closed
      .filter(({ why }) => why !== 'officeHours')
      .map((span) => spanOf(span, axis, TOP, BOTTOM)),
    ...dayLines(axis, TOP, BOTTOM),
    level(BOTTOM, 'axis'),
    stretched(INNER.y, INNER.height, [
      path(last ? steps([...points, [1, last[1]]]) : null, 'past'),
    ]),
    ...points.map(([place, y], index) => {
      if (index > 0 && place - labelled < LABELLED_FROM) return null
      labelled = place
      const at = INNER.y + (INNER.height * y) / HEIGHT - 5
      return beside(place, Math.max(TOP + 6, at), percentText(reached[index].percentage), 'strong')
    }),
    last ? null : html`<text x="0" dx="6" y="${TOP + 20}">No stage</text>`,
    ...dayNames(axis, TALL - 4),
  ])
  return {
    ...{ title, svg, keys: [{ line: 'past', label: 'if it stays healthy' }] },
    table: {
      head: ['Share of users', 'Reached', 'Lasts at least', 'Decided by'],
      rows: rungs.map(({ percentage, hours, expectedAt, because }) => [
        percentText(percentage),
        expectedAt ? timeText(expectedAt, reader) : 'Never',
        `${hours} h`,
        because === 'numbers' ? 'the numbers' : 'the policy',
      ]),
    },
  }
}

/** The most rungs that a title names; the table has all. */
const MAX_NAMED = 8

function titleOf(rungs: readonly ForeseenRung[], reader: TimeReader): string {
  const named = rungs
    .slice(0, MAX_NAMED)
    .map(({ percentage, expectedAt }) =>
      expectedAt
        ? `${percentText(percentage)} from ${inSentence(expectedAt, reader)}`
        : `${percentText(percentage)} never`
    )
  return `Share of users if it stays healthy: ${named.join(', ') || 'no stage'}`
}
