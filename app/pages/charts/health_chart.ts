import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import type { Instant } from '#foundation/core/clock'
import { html } from '#foundation/api/http/html'
import { countText, healthText } from '../words/numbers.js'
import { HEALTH_VERDICTS, statusLabel } from '../words/statuses.js'
import { timeText, type TimeReader } from '../words/times.js'
import {
  beside,
  drawing,
  HEIGHT,
  inside,
  level,
  path,
  rounded,
  stretched,
  upright,
  WIDTH,
  type ChartView,
  type Key,
} from './chart.js'
import { dayLines, type TimeAxis } from './time_axis.js'

/** A check of the guard, as `getRollout` answers it; shares in percent. */
export interface LookOfGuard {
  at: Instant
  verdict: string
  value: number | null
  previousValue: number | null
  threshold: number | null
  sample: { total: number; bad: number }
}

const TALL = 92
const [TOP, BOTTOM] = [4, 80]
const INNER = { y: 6, height: 74 }

/** Room above and below the lines, as a share of what they span. */
const ROOM = 0.15
/** The least span of the range, in percent, so that noise does not look like a fall. */
const MIN_SPAN = 0.1

/** Half the width of the dash that shows a single look. */
const DASH = 4

/** The distance within which two marks count as one, as a share of the width. */
const NEAR = 0.03

type Member = 'value' | 'previousValue'
const LOOKS_OF: Readonly<Record<Member, 'is' | 'was'>> = { value: 'is', previousValue: 'was' }

/**
 * Draws a metric over time, with that of the version before and the value below which the rollout is
 * halted. The range of the vertical axis is fitted to the values, and stated below.
 * @param names of the metric and of the two versions
 */
export function healthChart(
  looks: readonly LookOfGuard[],
  names: { metric: string; version: string; before: string },
  { id, axis, reader }: { id: string; axis: TimeAxis; reader: TimeReader }
): ChartView {
  const [low, high] = rangeOf(looks)
  const scale = scaleLinear().domain([low, high]).range([HEIGHT, 0]).clamp(true)
  const last = looks.findLast(({ value }) => value !== null)
  const halts = looks.at(-1)?.threshold ?? null
  const title = titleOf(looks, names.metric)
  const yOf = (value: number) => INNER.y + (INNER.height * scale(value)) / HEIGHT
  // Below its line where the text of the limit is above it.
  const ofValue = (value: number) =>
    halts !== null && value <= halts
      ? rounded(Math.min(BOTTOM - 3, yOf(value) + 11), 1)
      : labelled(yOf(value))
  const drawn = (member: Member) => path(lineOf(looks, member, axis, scale), LOOKS_OF[member])
  const now = axis.placeOf(reader.now)
  const seen = last ? axis.placeOf(last.at) : 0
  // Beside the line of the present if that is as near.
  const place = now > seen && now - seen < NEAR ? now : seen
  const svg = drawing(id, TALL, title, [
    ...dayLines(axis, TOP, BOTTOM),
    level(BOTTOM, 'axis'),
    html`<text x="0" dx="4" y="${TALL - 1}">${healthText(low)} to ${healthText(high)}</text>`,
    stretched(INNER.y, INNER.height, [
      drawn('previousValue'),
      drawn('value'),
      path(haltsAcross(halts, scale), 'thr'),
    ]),
    isShown(now) ? upright(now, TOP, BOTTOM, 'nowl') : null,
    halts === null
      ? null
      : html`<text x="100%" dx="-4" y="${labelled(yOf(halts))}" text-anchor="end"
          >${healthText(halts)} halts</text
        >`,
    last ? beside(place, ofValue(last.value!), healthText(last.value!), 'strong') : null,
  ])
  const keys: Key[] = [{ line: 'is', label: names.version }]
  if (looks.some((each) => each.previousValue !== null))
    keys.push({ line: 'was', label: names.before })
  if (looks.some((each) => each.threshold !== null)) keys.push({ line: 'thr', label: 'guard' })
  return {
    ...{ title, svg, keys },
    table: {
      head: ['When', names.version, names.before, 'Halts below', 'Counted', 'Verdict'],
      rows: looks.map((each) => [
        timeText(each.at, reader),
        ...[each.value, each.previousValue, each.threshold].map((value) =>
          value === null ? 'No data' : healthText(value)
        ),
        countText(Math.round(each.sample.total)),
        statusLabel(HEALTH_VERDICTS, each.verdict).word,
      ]),
    },
  }
}

/** Draws the value below which the rollout is halted now, from side to side. */
function haltsAcross(threshold: number | null, scale: (value: number) => number): string | null {
  if (threshold === null) return null
  const y = rounded(scale(threshold), 1)
  return `M0,${y}L${WIDTH},${y}`
}

const isShown = (place: number) => place >= 0 && place <= 1

/** Returns the height of a text above a line, within the drawing. */
const labelled = (y: number) => rounded(Math.min(BOTTOM - 6, Math.max(TOP + 12, y - 5)), 1)

/** Returns the range of all values with some room, within 0 to 100 %. */
function rangeOf(looks: readonly LookOfGuard[]): [low: number, high: number] {
  const values = looks.flatMap(({ value, previousValue, threshold }) =>
    [value, previousValue, threshold].filter((each) => each !== null)
  )
  if (values.length === 0) return [0, 100]
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const room = Math.max((most - least) * ROOM, (MIN_SPAN - (most - least)) / 2)
  return [Math.max(0, least - room), Math.min(100, Math.max(most + room, MIN_SPAN))]
}

function lineOf(
  looks: readonly LookOfGuard[],
  member: Member,
  axis: TimeAxis,
  scale: (value: number) => number
): string | null {
  const known = looks.filter((each) => each[member] !== null)
  const xOf = ({ at }: LookOfGuard) => WIDTH * inside(axis.placeOf(at))
  if (known.length === 1) {
    const [x, y] = [xOf(known[0]), rounded(scale(known[0][member]!), 1)]
    const [from, to] = [Math.max(0, x - DASH), Math.min(WIDTH, x + DASH)]
    return `M${rounded(from, 1)},${y}L${rounded(to, 1)},${y}`
  }
  return line<LookOfGuard>()
    .defined((each) => each[member] !== null)
    .x(xOf)
    .y((each) => scale(each[member]!))
    .digits(1)(looks)
}

function titleOf(looks: readonly LookOfGuard[], metric: string): string {
  const last = looks.findLast(({ value }) => value !== null)
  if (!last) return `${metric}: no data yet`
  const was =
    last.previousValue === null ? '' : `, version before ${healthText(last.previousValue)}`
  const halts = last.threshold === null ? '' : `, halted below ${healthText(last.threshold)}`
  return `${metric}: ${healthText(last.value!)}${was}${halts}`
}
