import { scaleLinear } from 'd3-scale'
import { DateTime } from 'luxon'
import type { Instant } from '#foundation/core/clock'
import { html, type Markup } from '#foundation/api/http/html'
import type { TimeReader } from '../words/times.js'
import { percentOf, upright } from './chart.js'

/** Days from left to right, in the reader's zone: charts that stand above each other share it. */
export interface TimeAxis {
  /** The place of an instant, 0 at the left and 1 at the right; outside for what is not shown. */
  placeOf(at: Instant): number
  /** Beginnings of the days that are labelled. */
  days: readonly { place: number; label: string }[]
}

/** Most days that have a label. */
const MOST_LABELS = 8

/** The fewest days shown: two points beside each other show no course. */
const LEAST_DAYS = 2

/** Makes an axis over whole days that hold all of some instants. */
export function timeAxis(instants: readonly Instant[], { zone, now }: TimeReader): TimeAxis {
  const all = instants.length > 0 ? [...instants].sort() : [now]
  const at = (instant: Instant) => DateTime.fromISO(instant, { zone })
  const first = at(all[0]).startOf('day')
  const last = at(all[all.length - 1])
  const ends = last.startOf('day').plus({ days: 1 })
  const count = Math.max(LEAST_DAYS, Math.round(ends.diff(first, 'days').days))
  const scale = scaleLinear()
    .domain([first.toMillis(), first.plus({ days: count }).toMillis()])
    .range([0, 1])
  const step = Math.ceil(count / MOST_LABELS)
  const days = Array.from({ length: Math.ceil(count / step) }, (_, index) => {
    const begins = first.plus({ days: index * step })
    return { place: scale(begins.toMillis()), label: begins.setLocale('en').toFormat('ccc d') }
  })
  return { placeOf: (instant) => scale(Date.parse(instant)), days }
}

/** Makes an axis over whole weeks, each with its first day. */
export function weekAxis(from: Instant, weeks: number, { zone }: TimeReader): TimeAxis {
  const first = DateTime.fromISO(from, { zone })
  const scale = scaleLinear()
    .domain([first.toMillis(), first.plus({ weeks }).toMillis()])
    .range([0, 1])
  const days = Array.from({ length: weeks }, (_, index) => {
    const begins = first.plus({ weeks: index })
    return { place: scale(begins.toMillis()), label: begins.setLocale('en').toFormat('d LLL') }
  })
  return { placeOf: (instant) => scale(Date.parse(instant)), days }
}

/** Returns the upright lines of the days. */
export const dayLines = ({ days }: TimeAxis, from: number, to: number): Markup[] => [
  ...days.map(({ place }) => upright(place, from, to, 'grid')),
  upright(1, from, to, 'grid'),
]

/** Returns the names of the days; on a phone, every second one is left out. */
export const dayNames = ({ days }: TimeAxis, y: number): Markup[] =>
  days.map(
    ({ place, label }, index) =>
      html`<text x="${percentOf(place)}" dx="4" y="${y}" class="${index % 2 === 1 ? 'wide' : ''}"
        >${label}</text
      >`
  )
