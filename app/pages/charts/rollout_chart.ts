import { area, curveStepAfter, line } from 'd3-shape'
import type { Instant } from '#foundation/core/clock'
import { html, type Markup } from '#foundation/api/http/html'
import { percentText } from '../words/numbers.js'
import { ROLLOUT_STATES, statusLabel } from '../words/statuses.js'
import { inSentence, timeText, type TimeReader } from '../words/times.js'
import {
  beside,
  drawing,
  HEIGHT,
  inside,
  level,
  nameAcross,
  path,
  percentOf,
  stretched,
  upright,
  WIDTH,
  type ChartView,
} from './chart.js'
import { edgesOf, spanOf, type Closed } from './closed.js'
import { dayLines, dayNames, timeAxis, type TimeAxis } from './time_axis.js'

/** The course of a rollout in a store, as `getRollout` returns it. */
export interface CourseOfRollout {
  reached: readonly { at: Instant; state: string; percentage: number }[]
  forecast: {
    moves: readonly { at: Instant; what: string; percentage: number; because: string }[]
    closed: readonly Closed[]
  }
}

/** A feature flag that changed during the rollout. */
export interface FlagMark {
  at: Instant
  name: string
  what: string
}

const TOTAL_HEIGHT = 192
const [TOP, BOTTOM] = [8, 170]
const INNER = { y: 10, height: 160 }
const FLAG = { y: 146, radius: 3.5 }
/** The height of the text for now, below those for 100 % and for spans. */
const NOW_Y = 44

/** States in which a rollout has ended. */
const ENDED = new Set(['completed', 'replaced'])

/** Returns the axis that a rollout and its health share. */
export function axisOf(
  { reached, forecast }: CourseOfRollout,
  measurements: readonly { at: Instant }[],
  reader: TimeReader
): TimeAxis {
  const last = reached.at(-1)
  const now = !last || !ENDED.has(last.state) ? [reader.now] : []
  const all = [reached, forecast.moves, measurements].flatMap((each) => each.map(({ at }) => at))
  return timeAxis([...all, ...now], reader)
}

/**
 * Draws the share of users over time: past shares, planned rungs, days without growth, and flags that
 * changed.
 * @param id of the title, unique in the page
 */
export function rolloutChart(
  course: CourseOfRollout,
  flags: readonly FlagMark[],
  { id, axis, reader }: { id: string; axis: TimeAxis; reader: TimeReader }
): ChartView {
  const { reached, forecast } = course
  const now = axis.placeOf(reader.now)
  const last = reached.at(-1)
  const isOver = last !== undefined && ENDED.has(last.state)
  const points = reached.map(({ at, percentage }) => pointOf(axis.placeOf(at), percentage))
  // The past line ends now, with the rollout, or at the edge once all users have it.
  let end = now
  if (isOver) end = last.state === 'completed' ? 1 : axis.placeOf(last.at)
  const past = last ? [...points, pointOf(end, last.percentage)] : []
  const plan = planOf(course, axis, now)
  const closed = forecast.closed.filter(({ why }) => why !== 'officeHours')
  const title = titleOf(course, reader)
  const svg = drawing(id, TOTAL_HEIGHT, title, [
    ...closed.map((span) => spanOf(span, axis, TOP, BOTTOM)),
    ...dayLines(axis, TOP, BOTTOM),
    level(90, 'grid'),
    level(INNER.y, 'grid'),
    level(BOTTOM, 'axis'),
    nameOf(closed, axis),
    stretched(INNER.y, INNER.height, [
      path(past.length > 1 ? filled(past) : null, 'area'),
      path(past.length > 1 ? steps(past) : null, 'past'),
      path(plan.length > 1 ? steps(plan) : null, 'plan'),
    ]),
    isOver || !last ? null : upright(now, TOP, BOTTOM, 'nowl'),
    html`<text x="0" dx="6" y="104" class="scale">50 %</text>`,
    html`<text x="0" dx="6" y="24" class="scale">100 %</text>`,
    isOver || !last ? null : beside(now, NOW_Y, `Now · ${percentText(last.percentage)}`, 'strong'),
    ...flags.map((flag) => flagOf(flag, axis, reader)),
    ...dayNames(axis, 186),
  ])
  return {
    ...{ title, svg },
    keys: [
      { line: 'past', label: 'was' },
      ...(plan.length > 1 ? [{ line: 'plan' as const, label: 'planned' }] : []),
    ],
    table: { head: ['When', 'Share of users', 'What'], rows: rowsOf(course, flags, reader) },
  }
}

type Point = [x: number, y: number]

const pointOf = (place: number, percentage: number): Point => [
  WIDTH * inside(place),
  HEIGHT * (1 - inside(percentage / 100)),
]

const steps = line<Point>().curve(curveStepAfter).digits(1)
const filled = area<Point>()
  .x(([x]) => x)
  .y0(HEIGHT)
  .y1(([, y]) => y)
  .curve(curveStepAfter)
  .digits(1)

/** Returns the points of the forecast, from now to the end of the axis. */
function planOf({ reached, forecast }: CourseOfRollout, axis: TimeAxis, now: number): Point[] {
  const { moves } = forecast
  const last = moves.at(-1)
  if (!last) return []
  const share = reached.at(-1)?.percentage ?? 0
  return [
    pointOf(now, share),
    ...moves.map(({ at, percentage }) => pointOf(axis.placeOf(at), percentage)),
    pointOf(1, last.percentage),
  ]
}

const reasonOf = ({ why, name }: Closed) => (why === 'freeze' ? (name ?? 'Freeze') : 'Quiet days')

/** Draws the name of the widest span if it has room. */
function nameOf(closed: readonly Closed[], axis: TimeAxis): Markup | null {
  const [wide] = closed
    .map((span) => ({ span, ...edgesOf(span, axis) }))
    .sort((one, other) => other.right - other.left - (one.right - one.left))
  return wide ? nameAcross(wide, 26, reasonOf(wide.span)) : null
}

const FLAG_WORDS: Readonly<Record<string, string>> = {
  switchedOn: 'was switched on',
  switchedOff: 'was switched off',
  changed: 'changed',
  added: 'was added',
  removed: 'was removed',
}

const flagText = ({ name, what }: FlagMark) => `Flag ${name} ${FLAG_WORDS[what] ?? what}`

function flagOf(flag: FlagMark, axis: TimeAxis, reader: TimeReader): Markup {
  const place = axis.placeOf(flag.at)
  const title = `${flagText(flag)}, ${inSentence(flag.at, reader)}`
  return html`${upright(place, FLAG.y, BOTTOM, 'flagl')}<circle
      cx="${percentOf(place)}"
      cy="${FLAG.y}"
      r="${FLAG.radius}"
      class="flag"
      ><title>${title}</title></circle
    >`
}

/** The maximum number of shares in a title; the table has all. */
const MAX_NAMED = 8

function titleOf({ reached, forecast }: CourseOfRollout, reader: TimeReader): string {
  const last = reached.at(-1)
  if (!last) return 'Share of users over time: no user has it yet'
  const named = reached.slice(-MAX_NAMED).map(({ at, percentage, state }, index, all) => {
    const isLast = index === all.length - 1
    const preposition = isLast && !ENDED.has(state) ? 'since' : 'from'
    const word = state === 'paused' || state === 'halted' ? `, ${state}` : ''
    return `${percentText(percentage)} ${preposition} ${inSentence(at, reader)}${word}`
  })
  const moves = forecast.moves.filter(({ what }) => what === 'grow').slice(0, MAX_NAMED)
  const planned = moves.map(
    ({ at, percentage }) => `${percentText(percentage)} ${inSentence(at, reader)}`
  )
  const plan = planned.length > 0 ? `; planned: ${planned.join(', ')}` : ''
  return `Share of users over time: ${named.join(', ')}${plan}`
}

const MOVE_WORDS: Readonly<Record<string, string>> = {
  grow: 'Planned',
  pause: 'Planned: paused',
  resume: 'Planned: resumes',
}

const BECAUSE: Readonly<Record<string, string>> = {
  officeHours: ', after office hours begin',
  quietDay: ', after quiet days',
  freeze: ', after a freeze',
}

function rowsOf(
  { reached, forecast }: CourseOfRollout,
  flags: readonly FlagMark[],
  reader: TimeReader
): string[][] {
  const rows: { at: Instant; cells: string[] }[] = [
    ...reached.map(({ at, state, percentage }) => ({
      at,
      cells: [percentText(percentage), statusLabel(ROLLOUT_STATES, state).word],
    })),
    ...forecast.moves.map(({ at, what, percentage, because }) => ({
      at,
      cells: [
        percentText(percentage),
        `${MOVE_WORDS[what] ?? what}${what === 'grow' ? (BECAUSE[because] ?? '') : ''}`,
      ],
    })),
    ...forecast.closed
      .filter(({ why }) => why !== 'officeHours')
      .map((span) => ({
        at: span.from,
        cells: ['', `${reasonOf(span)} until ${inSentence(span.to, reader)}`],
      })),
    ...flags.map((flag) => ({ at: flag.at, cells: ['', flagText(flag)] })),
  ]
  return rows
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .map(({ at, cells }) => [timeText(at, reader), ...cells])
}
