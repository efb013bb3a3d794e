import { scaleLinear } from 'd3-scale'
import { later, type Instant } from '#foundation/core/clock'
import { HOUR } from '#foundation/core/durations'
import { html } from '#foundation/api/http/html'
import { countText } from '../words/numbers.js'
import { timeText, type TimeReader } from '../words/times.js'
import {
  drawing,
  HEIGHT,
  inside,
  level,
  path,
  rounded,
  stretched,
  WIDTH,
  type ChartView,
} from './chart.js'
import { dayLines, dayNames, timeAxis } from './time_axis.js'

/** The attempts in an hour, as `getWebhookStatistics` counts them. */
export interface HourOfAttempts {
  startsAt: Instant
  delivered: number
  failed: number
}

const TOTAL_HEIGHT = 112
const [TOP, BOTTOM] = [4, 92]
const INNER = { y: 10, height: 82 }

/**
 * Draws attempts per hour, with failed ones stacked on delivered ones.
 * @param since the start of the counted period
 */
export function attemptsChart(
  hours: readonly HourOfAttempts[],
  { id, since, reader }: { id: string; since: Instant; reader: TimeReader }
): ChartView {
  const axis = timeAxis([since, reader.now], reader)
  const max = Math.max(1, ...hours.map(({ delivered, failed }) => delivered + failed))
  const scale = scaleLinear().domain([0, max]).range([HEIGHT, 0])
  const bars = (spanOf: (hour: HourOfAttempts) => readonly [from: number, to: number]) =>
    hours
      .map((hour) => {
        const [from, to] = spanOf(hour)
        if (from === to) return ''
        const [left, right] = [hour.startsAt, later(hour.startsAt, HOUR)].map((at) =>
          rounded(WIDTH * inside(axis.placeOf(at)), 1)
        )
        const [low, high] = [rounded(scale(from), 1), rounded(scale(to), 1)]
        return `M${left},${low}V${high}H${right}V${low}Z`
      })
      .join('')
  const title = titleOf(hours)
  const svg = drawing(id, TOTAL_HEIGHT, title, [
    ...dayLines(axis, TOP, BOTTOM),
    level(BOTTOM, 'axis'),
    ...dayNames(axis, TOTAL_HEIGHT - 4),
    stretched(INNER.y, INNER.height, [
      path(bars(({ delivered }) => [0, delivered]) || null, 'took'),
      path(bars(({ delivered, failed }) => [delivered, delivered + failed]) || null, 'lost'),
    ]),
    html`<text x="0" dx="4" y="12">${`at most ${countText(max)} in an hour`}</text>`,
  ])
  return {
    ...{ title, svg },
    keys: [
      { line: 'took', label: 'delivered' },
      { line: 'lost', label: 'failed' },
    ],
    table: {
      head: ['Hour', 'Delivered', 'Failed'],
      rows: hours.map(({ startsAt, delivered, failed }) => [
        timeText(startsAt, reader),
        countText(delivered),
        countText(failed),
      ]),
    },
  }
}

function titleOf(hours: readonly HourOfAttempts[]): string {
  const sum = (member: 'delivered' | 'failed') => hours.reduce((all, hour) => all + hour[member], 0)
  if (hours.length === 0) return 'No attempt in the last seven days'
  return `Attempts of the last seven days: ${countText(sum('delivered'))} delivered, ${countText(sum('failed'))} failed`
}
