import { change, of, select, type Change } from '../database/statement.js'
import { columnsOf, storedRow, type RowOf } from '../database/table.js'
import { eventCounters, events, eventStreams } from './tables.js'

/* The statements by which the outbox writes events, on both databases. */

/** Name of the channel that notifies other processes on PostgreSQL of new events. */
export const EVENTS_CHANNEL = 'tarmac_events'

/** The text of a payload before and behind the event's number. */
export interface Payload {
  before: string
  behind: string
}

const names = columnsOf(events)
const valuesWith = (own: Readonly<Record<string, string>>) =>
  names.map((name) => own[name] ?? (name === 'organization_id' ? ':org' : `:${name}`)).join(', ')
const insertWith = (own: Readonly<Record<string, string>>) =>
  `insert into events (${names.join(', ')}) values (${valuesWith(own)})`

const INSERT_TEXT = insertWith({})
export const INSERT = change(INSERT_TEXT)

const CLOSE_STREAM_TEXT =
  'update event_streams set hash = :end where organization_id = :org and release_id = :release_id'
export const CLOSE_STREAM = change(CLOSE_STREAM_TEXT)

const TAKE_NUMBERS_TEXT = `insert into event_counters (organization_id, last) values (:org, :count)
  on conflict (organization_id) do update set last = event_counters.last + :count returning last`
export const TAKE_NUMBERS = change(
  TAKE_NUMBERS_TEXT.replace(' returning last', ''),
  of(eventCounters, 'event_counters', ['last'])
)

export const TAKE_PLACES = change(
  `insert into event_streams (release_id, organization_id, position, hash)
  values (:releaseId, :org, :entries, :first)
  on conflict (release_id) do update set position = event_streams.position + :entries`,
  of(eventStreams, 'event_streams', ['position', 'hash'])
)

/*
 * On PostgreSQL a round trip costs more than a small statement, and the row with the number of the
 * last event is contended. So the statements that insert events also take the next numbers in SQL,
 * and are sent together with the COMMIT.
 */
export const END_OF_STREAM = select(
  of(eventStreams, 's', ['position', 'hash']),
  `from event_streams s where s.organization_id = :org and s.release_id = :releaseId for update`
)
/** Takes numbers, and notifies the other processes when this transaction has committed. */
const NUMBERS = `numbers as (${TAKE_NUMBERS_TEXT}, pg_notify('${EVENTS_CHANNEL}', ''))`
const CLOSED = `closed as (${CLOSE_STREAM_TEXT.replace('hash = :end', 'hash = :end, position = :position')})`

/** Number of events from which they are inserted by one statement. */
export const MANY = 8
/** Approximate maximum of characters that one statement inserts. */
const MAX_CHARACTERS = 4 * 1024 * 1024

/** The members of an event in the JSON that `insertMany` reads, with their types. */
const GIVEN = {
  id: 'text',
  type: 'text',
  occurred_at: 'text',
  app_id: 'text',
  release_id: 'text',
  step_config_id: 'text',
  entity_key: 'text',
  title: 'text',
  actor: 'text',
  data: 'text',
  position: 'integer',
  previous_hash: 'text',
  hash: 'text',
  following: 'integer',
  before: 'text',
  behind: 'text',
} as const

/** Inserts many events; the first statement of a transaction takes numbers for all of them. */
function insertMany(takes: boolean): Change {
  const last = takes
    ? '(select last from numbers)'
    : '(select last from event_counters where organization_id = :org)'
  const own: Record<string, string> = {
    organization_id: 'cast(:org as text)',
    sequence: `case when r.before is not null then ${last} - r.following end`,
    payload: `r.before || (${last} - r.following) || r.behind`,
  }
  const read = names.map((name) => own[name] ?? `r.${name}`).join(', ')
  const types = Object.entries(GIVEN).map((column) => column.join(' '))
  return change(`${takes ? `with ${NUMBERS} ` : ''}insert into events (${names.join(', ')})
    select ${read} from json_to_recordset(cast(:rows as json)) as r(${types.join(', ')})`)
}
export const TAKE_AND_INSERT_MANY = insertMany(true)
export const INSERT_MANY = insertMany(false)
export const END_STREAM = change(
  CLOSE_STREAM_TEXT.replace('hash = :end', 'hash = :end, position = :position')
)

/** The variants of the insert on PostgreSQL. */
const sharedInserts = new Map<string, Change>()

/** @param variant says whether it takes numbers, closes a timeline, and has a number itself */
export function sharedInsert(variant: {
  takes: boolean
  closes: boolean
  isNumbered: boolean
}): Change {
  const { takes, closes, isNumbered } = variant
  const key = `${takes} ${closes} ${isNumbered}`
  let found = sharedInserts.get(key)
  if (!found) {
    const beside = [...(takes ? [NUMBERS] : []), ...(closes ? [CLOSED] : [])]
    const last = takes
      ? '(select last from numbers)'
      : '(select last from event_counters where organization_id = :org)'
    const number = `(${last} - cast(:following as integer))`
    const own = {
      organization_id: 'cast(:org as text)',
      sequence: number,
      payload: `cast(:before as text) || ${number} || cast(:behind as text)`,
    }
    const insert = insertWith(isNumbered ? own : {})
    found = change(beside.length > 0 ? `with ${beside.join(', ')} ${insert}` : insert)
    sharedInserts.set(key, found)
  }
  return found
}

export type EventRow = Omit<RowOf<typeof events>, 'organizationId' | 'sequence' | 'payload'>

/** Events that are inserted together. */
export class Many {
  readonly #rows: { row: EventRow; payload: Payload | null }[] = []

  add(row: EventRow, payload: Payload | null): void {
    this.#rows.push({ row, payload })
  }

  /** Yields the events as JSON lists, in their order. @param count how many have a number */
  *parts(count: number): Iterable<string> {
    let following = count
    let part: string[] = []
    let characters = 0
    for (const { row, payload } of this.#rows) {
      if (payload) following -= 1
      const text = JSON.stringify({ ...storedRow(events, row), ...payload, following })
      if (characters > 0 && characters + text.length > MAX_CHARACTERS) {
        yield `[${part.join(',')}]`
        part = []
        characters = 0
      }
      part.push(text)
      characters += text.length
    }
    yield `[${part.join(',')}]`
  }
}
