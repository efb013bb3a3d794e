import { scaleLinear } from 'd3-scale'
import { DateTime } from 'luxon'
import type { Instant } from '#foundation/core/clock'
import { html, type Markup } from '#foundation/api/http/html'
import type { TimeReader } from '../words/times.js'
import { percentOf, upright } from './chart.js'

/** Days from left to right, in the reader's time zone. Charts below each other can share an axis. */
export interface TimeAxis {
  /** Returns the place of an instant from left (0) to right (1); outside of these if not shown. */
  placeOf(at: Instant): number
  /** The beginnings of the labelled days. */
  days: readonly { place: number; label: string }[]
}

/** The most days that have a label. */
const MAX_LABELS = 8

/** The fewest days that are shown. */
const MIN_DAYS = 2

/** Makes an axis of whole days that includes all given instants. */
export function timeAxis(instants: readonly Instant[], { zone, now }: TimeReader): TimeAxis {
  const all = instants.length > 0 ? [...instants].sort() : [now]
  const at = (instant: Instant) => DateTime.fromISO(instant, { zone })
  const first = at(all[0]).startOf('day')
  const last = at(all[all.length - 1])
  const ends = last.startOf('day').plus({ days: 1 })
  const count = Math.max(MIN_DAYS, Math.round(ends.diff(first, 'days').days))
  const scale = scaleLinear()
    .domain([first.toMillis(), first.plus({ days: count }).toMillis()])
    .range([0, 1])
  const step = Math.ceil(count / MAX_LABELS)
  const days = Array.from({ length: Math.ceil(count / step) }, (_, index) => {
    const begins = first.plus({ days: index * step })
    return { place: scale(begins.toMillis()), label: begins.setLocale('en').toFormat('ccc d') }
  })
  return { placeOf: (instant) => scale(Date.parse(instant)), days }
}

/** Makes an axis of whole weeks, each labelled with its first day. */
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

/** Returns the names of the days; phones hide every second one. */
export const dayNames = ({ days }: TimeAxis, y: number): Markup[] =>
  days.map(
    ({ place, label }, index) =>
      html`<text x="${percentOf(place)}" dx="4" y="${y}" class="${index % 2 === 1 ? 'wide' : ''}"
        >${label}</text
      >`
  )
