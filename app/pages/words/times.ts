import { DateTime } from 'luxon'
import { DAY, HOUR, MINUTE, SECOND } from '#foundation/core/durations'
import type { Instant } from '#foundation/core/clock'

/** The settings of a reader that times are formatted with. */
export interface TimeReader {
  zone: string
  locale: string
  now: Instant
}

/** An instant as a page shows it. */
export interface TimeView {
  iso: string
  /** Day and time in the reader's zone and language. */
  text: string
  /** Its distance from now, within a day; null beyond. */
  relative: string | null
}

/** English without a country becomes British: day before month, 24 hours. */
const localeOf = (locale: string) => (locale === 'en' || locale === '*' ? 'en-GB' : locale)

const SHOWN = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
} as const

const at = (instant: Instant, { zone, locale }: TimeReader) =>
  DateTime.fromISO(instant, { zone }).setLocale(localeOf(locale))

/** Returns an instant with its distance from now. */
export function timeOf(instant: Instant, reader: TimeReader): TimeView {
  return {
    iso: instant,
    text: timeText(instant, reader),
    relative: relativeText(instant, reader.now),
  }
}

/** Returns day and time, such as `Thu 19 Nov, 13:20`; a time of today as `Today 13:20`. */
export function timeText(instant: Instant, reader: TimeReader): string {
  const time = at(instant, reader)
  const today = at(reader.now, reader)
  const clock = time.toLocaleString(DateTime.TIME_SIMPLE)
  if (time.hasSame(today, 'day')) return `Today ${clock}`
  if (time.hasSame(today.plus({ days: 1 }), 'day')) return `Tomorrow ${clock}`
  if (time.hasSame(today, 'year')) return time.toLocaleString(SHOWN)
  return time.toLocaleString({ ...SHOWN, year: 'numeric', weekday: undefined })
}

/** Returns day and time for use within a sentence: `today 13:20`. */
export const inSentence = (instant: Instant, reader: TimeReader): string =>
  timeText(instant, reader).replace(/^T(?=oday|omorrow)/, 't')

/** Returns the day alone, such as `16 Nov`. */
export function dayText(instant: Instant, reader: TimeReader): string {
  return at(instant, reader).toLocaleString({ day: 'numeric', month: 'short' })
}

/** Returns the whole day and the time, for the head of a page: `Thursday 19 November, 13:20`. */
export function longText(instant: Instant, reader: TimeReader): string {
  const time = at(instant, reader)
  const day = time.toLocaleString({ weekday: 'long', day: 'numeric', month: 'long' })
  return `${day}, ${time.toLocaleString(DateTime.TIME_SIMPLE)}`
}

/** Returns the time of day with seconds. */
export function secondsText(instant: Instant, reader: TimeReader): string {
  return at(instant, reader).toLocaleString(DateTime.TIME_24_WITH_SECONDS)
}

const INSTANTS = /(?:\b(?:at|on) )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/g

/** Returns a text of the service with its instants in the reader's time zone and format. */
export const inZone = (text: string, reader: TimeReader): string =>
  text.replace(INSTANTS, (_, instant: string) => inSentence(instant, reader))

/** Returns `in 20 h`, `2 min ago` or `just now`; null for an instant a day or more away. */
export function relativeText(instant: Instant, now: Instant): string | null {
  const away = DateTime.fromISO(instant).toMillis() - DateTime.fromISO(now).toMillis()
  if (Math.abs(away) >= DAY) return null
  if (Math.abs(away) < SECOND) return away < 0 ? 'just now' : 'now'
  const span = spanText(Math.abs(away))
  return away >= 0 ? `in ${span}` : `${span} ago`
}

/** Returns how long ago something was: `25 minutes`, `19 hours`, `3 days`. */
export function sinceText(instant: Instant, now: Instant): string {
  const ago = Math.max(0, DateTime.fromISO(now).toMillis() - DateTime.fromISO(instant).toMillis())
  const [count, unit] = unitsOf(ago)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Returns a span in short: `40 s`, `24 min`, `20 h`. */
export function spanText(milliseconds: number): string {
  if (milliseconds < MINUTE) return `${Math.round(milliseconds / 1000)} s`
  if (milliseconds < 90 * MINUTE) return `${Math.round(milliseconds / MINUTE)} min`
  return `${Math.round(milliseconds / HOUR)} h`
}

function unitsOf(milliseconds: number): [number, string] {
  if (milliseconds < 90 * MINUTE) return [Math.max(1, Math.round(milliseconds / MINUTE)), 'minute']
  if (milliseconds < 48 * HOUR) return [Math.round(milliseconds / HOUR), 'hour']
  return [Math.round(milliseconds / DAY), 'day']
}

/** Returns the last part of a zone's name, as people say it: `Berlin`. */
export const zoneName = (zone: string) => zone.split('/').at(-1)!.replaceAll('_', ' ')
