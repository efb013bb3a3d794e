import { scaleLog } from 'd3-scale'
import { line } from 'd3-shape'
import { html } from '#foundation/api/http/html'
import { countText, percentText } from '../words/numbers.js'
import {
  beside,
  drawing,
  HEIGHT,
  level,
  path,
  percentOf,
  rounded,
  stretched,
  upright,
  WIDTH,
  type ChartView,
} from './chart.js'

/** The expected limits of the guard for a metric with known traffic. */
export interface KnownOutlook {
  daily: { of: number; bad: number }
  harmedAtMost: number
  rungs: readonly {
    percentage: number
    days: number | null
    counted: { of: number; bad: number }
    stopsAt: number | null
    growsUpTo: number | null
  }[]
}

const TALL = 168
const [TOP, BOTTOM] = [8, 146]
const INNER = { y: 16, height: 122 }

/** The smallest share that is drawn, because a logarithmic scale has no zero. */
const MIN_SHARE = 1e-6

/** Room below and above the lines, as a factor. */
const ROOM = 1.5

/**
 * Draws shares of failures for each rung: that of the previous version, the maximum at which the
 * rollout still grows, and the minimum at which it is stopped.
 * @param words the noun for what is counted, such as `users`
 */
export function budgetChart(
  { daily, harmedAtMost, rungs }: KnownOutlook,
  words: string,
  id: string
): ChartView {
  const usual = Math.max(MIN_SHARE, daily.bad / daily.of)
  const stops = rungs.map(({ stopsAt, counted }) =>
    stopsAt === null ? null : Math.min(1, stopsAt / counted.of)
  )
  const growing = rungs.map(({ growsUpTo }) => growsUpTo)
  const all = [usual, ...[...growing, ...stops].filter((each) => each !== null)].map((each) =>
    Math.max(MIN_SHARE, each)
  )
  const scale = scaleLog()
    .domain([Math.min(...all) / ROOM, Math.max(...all) * ROOM])
    .range([HEIGHT, 0])
    .clamp(true)
  const placeOf = (index: number) => (index + 0.5) / rungs.length
  const yOf = (share: number) => rounded(INNER.y + (INNER.height * scale(share)) / HEIGHT, 1)
  const points = stops.flatMap((share, index) =>
    share === null ? [] : [{ share, index, place: placeOf(index) }]
  )
  const drawn = line<(typeof points)[number]>()
    .x(({ place }) => WIDTH * place)
    .y(({ share }) => scale(share))
    .digits(1)
  const across = (share: number, from = 0, to = 1) =>
    `M${rounded(WIDTH * from, 1)},${rounded(scale(share), 1)}L${rounded(WIDTH * to, 1)},${rounded(scale(share), 1)}`
  const steps = growing.map((share, index) =>
    share === null ? '' : across(share, index / rungs.length, (index + 1) / rungs.length)
  )
  const title = titleOf({ daily, harmedAtMost, rungs }, words)
  const svg = drawing(id, TALL, title, [
    ...rungs.map((_, index) => upright(placeOf(index), TOP, BOTTOM, 'grid')),
    level(BOTTOM, 'axis'),
    stretched(INNER.y, INNER.height, [
      path(across(usual), 'was'),
      path(steps.join('') || null, 'is'),
      path(points.length > 1 ? drawn(points) : null, 'thr'),
    ]),
    html`<text x="0" dx="4" y="${Math.min(BOTTOM - 4, Math.max(TOP + 8, yOf(usual) - 5))}"
      >${percentText(100 * usual)} before</text
    >`,
    ...points.map(
      ({ place, share }) =>
        html`<circle cx="${percentOf(place)}" cy="${yOf(share)}" r="3" class="stop" />`
    ),
    ...points.map(({ place, share, index }) =>
      beside(place, Math.max(TOP + 8, yOf(share) - 6), countText(rungs[index].stopsAt!), 'strong')
    ),
    ...rungs.map(
      ({ percentage }, index) =>
        html`<text x="${percentOf(placeOf(index))}" y="${TALL - 4}" text-anchor="middle"
          >${percentText(percentage)}</text
        >`
    ),
  ])
  return {
    ...{ title, svg },
    keys: [
      { line: 'was', label: 'as before' },
      ...(steps.join('') ? [{ line: 'is' as const, label: 'grows up to' }] : []),
      { line: 'thr', label: 'stopped from' },
    ],
    table: {
      head: [
        ...['Share of users', 'Days', `Counted ${words}`, 'Failures as before'],
        ...['Grows up to', 'Stopped from'],
      ],
      rows: rungs.map(({ percentage, days, counted, stopsAt, growsUpTo }) => [
        percentText(percentage),
        days === null ? 'No end' : String(rounded(days, 1)),
        countText(Math.round(counted.of)),
        countText(Math.round(counted.bad)),
        growsUpTo === null ? 'Any' : percentText(100 * growsUpTo),
        stopsAt === null ? 'No number' : countText(stopsAt),
      ]),
    },
  }
}

/** The maximum number of rungs in a title; the table has all. */
const MAX_NAMED = 6

function titleOf({ daily, harmedAtMost, rungs }: KnownOutlook, words: string): string {
  const named = rungs
    .filter(({ stopsAt }) => stopsAt !== null)
    .slice(0, MAX_NAMED)
    .map(
      ({ percentage, counted, stopsAt }) =>
        `at ${percentText(percentage)} from ${countText(stopsAt!)} of ${countText(Math.round(counted.of))}`
    )
  const usual = `${percentText((100 * daily.bad) / daily.of)} of ${words} went wrong before`
  const isBudgeted = rungs.every(({ growsUpTo }) => growsUpTo !== null)
  const budget = isBudgeted
    ? `; a new version may harm ${countText(Math.round(harmedAtMost))} a day`
    : ''
  const stop = named.length > 0 ? `it is stopped ${named.join(', ')}` : 'no stage stops it'
  return `${usual}${budget}; ${stop}`
}
