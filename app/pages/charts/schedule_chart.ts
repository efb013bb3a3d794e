import type { Instant } from '#foundation/core/clock'
import { html, type Markup } from '#foundation/api/http/html'
import { clipped } from '#foundation/core/text'
import { inSentence, type TimeReader } from '../words/times.js'
import { beside, drawing, inside, level, percentOf, upright, type ChartView } from './chart.js'
import { spanOf } from './closed.js'
import { dayLines, dayNames, weekAxis, type TimeAxis } from './time_axis.js'

/** A train as it is drawn. */
export interface DrawnTrain {
  name: string
  /** True if it follows from the cadence alone. */
  isPredicted: boolean
  isFrozen: boolean
  kickoffAt: Instant | null
  submitAt: Instant | null
  releaseAt: Instant | null
}

/** A freeze as it is drawn. */
interface DrawnFreeze {
  name: string
  from: Instant
  to: Instant
}

export interface Schedule {
  /** The beginning of the first week. */
  from: Instant
  weeks: number
  trains: readonly DrawnTrain[]
  freezes: readonly DrawnFreeze[]
  /** Days on which no rollout grows. */
  quiet: readonly { from: Instant; to: Instant }[]
}

/** The most trains that are drawn; the list has all. */
export const MAX_DRAWN = 24

const TOP = 8
/** The lines for the names of freezes. */
const NAMES = { lines: 3, height: 16 }
const ROW = 34
const QUIET = 8
const MAX_NAME_LENGTH = 28

/** The marks of the targets of a train, in a box of twelve points. */
const MARKS = {
  kickoffAt: ['Kickoff', 'M6,0L12,6L6,12L0,6Z'],
  submitAt: ['Submit', 'M6,0L12,11L0,11Z'],
  releaseAt: ['Release', 'M6,0A6,6 0 1 1 6,12A6,6 0 1 1 6,0Z'],
} as const
type Target = keyof typeof MARKS
const TARGETS = Object.keys(MARKS) as Target[]

/** Draws the trains of some weeks, one below the other, with freezes and quiet days. */
export function scheduleChart(
  { from, weeks, trains, freezes, quiet }: Schedule,
  { id, reader }: { id: string; reader: TimeReader }
): Pick<ChartView, 'title' | 'svg'> {
  const axis = weekAxis(from, weeks, reader)
  const drawn = trains.slice(0, MAX_DRAWN)
  const first = TOP + (freezes.length > 0 ? NAMES.lines * NAMES.height : 0)
  const bottom = first + Math.max(1, drawn.length) * ROW + QUIET
  const tall = bottom + 22
  const title = titleOf({ trains, freezes }, reader)
  const now = axis.placeOf(reader.now)
  const svg = drawing(id, tall, title, [
    ...freezes.map((freeze) => spanOf(freeze, axis, TOP, bottom, 'frozen')),
    ...quiet.map((span) => spanOf(span, axis, bottom - QUIET + 2, bottom)),
    ...dayLines(axis, TOP, bottom),
    level(bottom, 'axis'),
    ...freezes.map(({ name, from: begins }, index) =>
      beside(
        inside(axis.placeOf(begins)),
        TOP + 12 + (index % NAMES.lines) * NAMES.height,
        clipped(name, MAX_NAME_LENGTH)
      )
    ),
    now >= 0 && now <= 1 ? upright(now, TOP, bottom, 'nowl') : null,
    ...drawn.map((train, index) => rowOf(train, first + index * ROW, axis, reader)),
    ...dayNames(axis, tall - 6),
  ])
  return { title, svg }
}

function rowOf(train: DrawnTrain, top: number, axis: TimeAxis, reader: TimeReader): Markup | null {
  const targets = TARGETS.flatMap((target) => {
    const at = train[target]
    const place = at === null ? -1 : axis.placeOf(at)
    return at === null || place < 0 || place > 1 ? [] : [{ target, at, place }]
  })
  const known = TARGETS.flatMap((target) => train[target] ?? []).map((at) =>
    inside(axis.placeOf(at))
  )
  if (known.length === 0) return null
  const y = top + 23
  const className = `${train.isPredicted ? 'hollow' : 'full'}${train.isFrozen ? ' cold' : ''}`
  return html`${beside(Math.min(...known), top + 13, clipped(train.name, MAX_NAME_LENGTH), 'strong')}<line
      x1="${percentOf(Math.min(...known))}"
      x2="${percentOf(Math.max(...known))}"
      y1="${y}"
      y2="${y}"
      class="way ${className}"
    />${targets.map(({ target, at, place }) => {
      const [name, d] = MARKS[target]
      return html`<svg x="${percentOf(place)}" y="${y}" class="mark">
        <path class="${target} ${className}" transform="translate(-6 -6)" d="${d}">
          <title>${train.name}: ${name.toLowerCase()} ${inSentence(at, reader)}</title>
        </path>
      </svg>`
    })}`
}

/** The most trains, and the most freezes, that a title names; the list has all. */
const MAX_NAMED = 6

function titleOf(
  { trains, freezes }: Pick<Schedule, 'trains' | 'freezes'>,
  reader: TimeReader
): string {
  const named = trains.slice(0, MAX_NAMED).map((train) => {
    const targets = TARGETS.flatMap((target) => {
      const at = train[target]
      return at === null ? [] : [`${MARKS[target][0].toLowerCase()} ${inSentence(at, reader)}`]
    })
    return `${train.name} ${targets.join(', ')}`
  })
  const more = trains.length > MAX_NAMED ? `; and ${trains.length - MAX_NAMED} more` : ''
  const frozen = freezes
    .slice(0, MAX_NAMED)
    .map(({ name, from, to }) => `${name} ${inSentence(from, reader)} to ${inSentence(to, reader)}`)
  const frozenText = frozen.length > 0 ? `; frozen: ${frozen.join(', ')}` : ''
  return `Twelve weeks: ${named.join('; ') || 'no release'}${more}${frozenText}`
}
