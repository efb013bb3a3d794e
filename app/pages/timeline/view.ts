import { DateTime } from 'luxon'
import { addresses, addressOf } from '../addresses.js'
import { choicesView } from '../components/field.view.js'
import { FormState } from '../frame/fields.js'
import type { PageCall, PageView } from '../frame/page.js'
import type { Entry } from '../release/answers.js'
import { entryOf } from '../release/view.js'
import { counted } from '../words/numbers.js'
import { actorName } from '../words/plain.js'
import { inSentence } from '../words/times.js'
import type { TimelineAnswers } from './answers.js'
import type { Chain } from './chain.js'
import { typeText } from './type_text.js'

type Reader = PageCall['reader']

/** The maximum number of entries on a page. */
const MAX_ENTRIES = 50

/**
 * Returns the view of a timeline: day by day, newest first, with the proof of its chain at the top.
 */
export function timelineView(
  { release, entries, chain }: TimelineAnswers,
  { reader, params, query }: Pick<PageCall, 'reader' | 'params' | 'query'>
) {
  const base = addressOf(addresses.timeline, params)
  const { actor, type } = query
  const before = Number.parseInt(query.before ?? '', 10) || Infinity
  const matching = entries.filter(
    (entry) =>
      entry.position < before &&
      (!actor || keyOf(entry.actor) === actor) &&
      (!type || entry.type === type)
  )
  const shown = matching.slice(-MAX_ENTRIES).reverse()
  const chosen = { ...(actor && { actor }), ...(type && { type }) }
  const more = { ...chosen, before: String(shown.at(-1)?.position) }
  return {
    title: `Timeline · ${release.version}`,
    place: null,
    pollSeconds: null,
    version: release.version,
    back: addressOf(addresses.release, params),
    proof: proofOf(chain, reader),
    base,
    filters: [
      filterOf({ id: 'actor', label: 'Who', all: 'Everybody', chosen: actor }, entries, (entry) => [
        keyOf(entry.actor),
        actorName(entry.actor),
      ]),
      filterOf({ id: 'type', label: 'What', all: 'Everything', chosen: type }, entries, (entry) => [
        entry.type,
        typeText(entry.type),
      ]),
    ],
    isFiltered: Boolean(actor || type),
    days: daysOf(shown, reader, { folds: !actor }),
    empty: entries.length === 0 ? 'Nothing is in the timeline yet.' : 'Nothing matches.',
    more: matching.length > shown.length ? `${base}?${new URLSearchParams(more)}` : null,
  } satisfies PageView & Record<string, unknown>
}

/** Returns the value for an actor in the query: the id, or the name if there is no id. */
const keyOf = ({ id, name }: Entry['actor']) => id ?? name

/** Returns a filter with all values that occur in the timeline, sorted by name. */
function filterOf(
  {
    id,
    label,
    all,
    chosen,
  }: { id: string; label: string; all: string; chosen: string | undefined },
  entries: readonly Entry[],
  of: (entry: Entry) => [value: string, name: string]
) {
  const options = [...new Map(entries.map(of))].map(([value, name]) => ({
    value,
    label: name,
    isOn: value === chosen,
  }))
  options.sort((a, b) => a.label.localeCompare(b.label))
  return choicesView(new FormState(null, ''), {
    id,
    label,
    options: [{ value: '', label: all }, ...options],
  })
}

function proofOf({ count, broken }: Chain, reader: Reader) {
  if (broken) {
    return {
      isIntact: false,
      text: `Entry ${broken.position} does not fit the one before it.`,
      detail: `It holds ${broken.found}, and it should hold ${broken.expected}. Somebody changed the database.`,
    }
  }
  const entries = counted(count, 'entry', 'entries')
  const text = `${entries}, chain intact, proven ${inSentence(reader.now, reader)}`
  return { isIntact: true, text, detail: null }
}

/** @param folds whether consecutive entries of automations are folded */
function daysOf(entries: readonly Entry[], reader: Reader, { folds }: { folds: boolean }) {
  const dayOf = ({ occurredAt }: Entry) =>
    DateTime.fromISO(occurredAt, { zone: reader.zone })
      .setLocale(reader.locale === 'en' ? 'en-GB' : reader.locale)
      .toLocaleString({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  return [...Map.groupBy(entries, dayOf)].map(([day, own]) => ({
    day,
    runs: runsOf(own, folds).map((run) => ({
      folded: run.length > 1 ? `${run.length} automatic entries` : null,
      entries: run.map((entry) => shownEntry(entry, reader)),
    })),
  }))
}

/** Groups consecutive entries of automations if they are folded; every other entry is alone. */
function runsOf(entries: readonly Entry[], folds: boolean): Entry[][] {
  const runs: Entry[][] = []
  const isAutomatic = ({ actor }: Entry) => actor.type === 'automation'
  for (const entry of entries) {
    const last = runs.at(-1)
    if (folds && last && isAutomatic(entry) && isAutomatic(last[0])) last.push(entry)
    else runs.push([entry])
  }
  return runs
}

const shownEntry = (entry: Entry, reader: Reader) => ({
  ...entryOf(entry, reader),
  type: entry.type,
  position: entry.position,
  details: JSON.stringify(entry.data, null, 2),
  hash: entry.hash,
})
