import { DateTime } from 'luxon'
import { addresses, addressOf } from '../addresses.js'
import type { PageCall, PageView } from '../frame/page.js'
import { counted } from '../words/numbers.js'
import { timeText } from '../words/times.js'
import { entryOf } from '../release/view.js'
import type { TimelineAnswers } from './answers.js'

/** The view of a timeline: day by day, newest first, with the proof of its chain on top. */
export function timelineView(
  { release, entries, nextCursor, chain }: TimelineAnswers,
  { reader, params, query }: Pick<PageCall, 'reader' | 'params' | 'query'>
) {
  const base = addressOf(addresses.timeline, params)
  const dayOf = (at: string) =>
    DateTime.fromISO(at, { zone: reader.zone })
      .setLocale(reader.locale === 'en' ? 'en-GB' : reader.locale)
      .toLocaleString({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  const days: { day: string; entries: ReturnType<typeof shown>[] }[] = []
  const shown = (entry: TimelineAnswers['entries'][number]) => ({
    ...entryOf(entry, reader),
    type: entry.type,
    position: entry.position,
    details: JSON.stringify(entry.data, null, 2),
    hash: entry.hash,
  })
  for (const entry of entries) {
    const day = dayOf(entry.occurredAt)
    if (days.at(-1)?.day !== day) days.push({ day, entries: [] })
    days.at(-1)!.entries.push(shown(entry))
  }
  return {
    title: `Timeline · ${release.version}`,
    place: null,
    everySeconds: null,
    version: release.version,
    back: addressOf(addresses.release, params),
    proof: chain.broken
      ? {
          isIntact: false,
          text: `Entry ${chain.broken.position} does not fit the one before it.`,
          detail: `It holds ${chain.broken.found}, and it should hold ${chain.broken.expected}. Somebody changed the database.`,
        }
      : {
          isIntact: true,
          text: `${counted(chain.count, 'entry', 'entries')}, chain intact, proven ${timeText(reader.now, reader)}`,
          detail: null,
        },
    days,
    filter: query.type ?? null,
    all: base,
    more: nextCursor
      ? `${base}?${new URLSearchParams({ ...(query.type && { type: query.type }), cursor: nextCursor })}`
      : null,
  } satisfies PageView & Record<string, unknown>
}
