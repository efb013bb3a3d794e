import type { StoreVersion } from '#plugin-kit/capabilities/stores'
import type { Finding, Rule } from './finding.js'
import type { Flight, Idle, Journal } from './journal.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** The most identical calls within an hour without a new decision. */
const MAX_RETRIES = 40
/** Failures that pass by themselves, or with new credentials. */
const PASSING = [
  'unavailable',
  'rateLimited',
  'quotaExhausted',
  'timeout',
  'unauthorized',
  'protocol',
]

const finding = (rule: Rule, flight: Flight, what: string): Finding => ({
  rule,
  ...flight.begun,
  what: `${flight.key} (${flight.text}): ${what}`,
})

/** Rule: a refused call is repeated only after something changed that the system knows. */
export function judgeRepetitions(journal: Journal): Finding[] {
  const recent = new Map<string, Flight[]>()
  const lastRefused = new Map<string, Flight>()
  return journal.flights.flatMap((flight) => {
    const { begun, text } = flight
    const same = recent.get(text) ?? []
    const earlier = same.filter(({ ended }) => ended && ended.order < begun.order)
    for (const each of earlier) if (isRefusedByRule(journal, each)) lastRefused.set(text, each)
    const withinHour = same.filter((each) => begun.at - each.begun.at < HOUR)
    recent.set(text, [...withinHour, flight])
    const refused = lastRefused.get(text)
    const reason = refused?.ended?.error?.detail.reason
    // A review that no list shows ends unseen.
    const isWaited = reason === 'reviewInProgress' && begun.at >= refused!.ended!.at + HOUR
    if (refused && !isWaited && !isChanged(journal, refused, flight)) {
      return [finding('refused is not repeated', flight, `${refused.key} was refused (${reason})`)]
    }
    if (isTooSoon(journal, same.at(-1), flight)) {
      return [finding('retries back off', flight, 'began before the store was ready for it')]
    }
    if (withinHour.length <= MAX_RETRIES) return []
    const isNew = ({ order }: { order: number }) =>
      order > withinHour[0].begun.order && order < begun.order
    return journal.renewals.some(isNew) || journal.decided.some(isNew)
      ? []
      : [finding('retries back off', flight, `was made ${withinHour.length} times within an hour`)]
  })
}

/** Returns whether a call began before the time that the store gave, without a reason. */
function isTooSoon(journal: Journal, last: Flight | undefined, { begun }: Flight): boolean {
  const { ended } = last ?? {}
  const wait = ended?.error?.detail.retryAfterMs
  if (!ended || wait === undefined || ended.order > begun.order) return false
  const isNew = ({ order }: { order: number }) => order > ended.order && order < begun.order
  return begun.at < ended.at + wait && ![...journal.renewals, ...journal.decided].some(isNew)
}

function isRefusedByRule(journal: Journal, { ended, call }: Flight): boolean {
  const { error } = ended ?? {}
  if (!error || error.detail.outcome !== 'notApplied' || PASSING.includes(error.code)) return false
  // A store that is still processing breaks no rule.
  if (error.detail.reason === 'preparing') return false
  // A version that was just prepared is not found for a while.
  return error.code !== 'notFound' || journal.store.truth(call.version) === null
}

/** Returns whether a decision was made, or the store showed a change, since a call was refused. */
function isChanged(journal: Journal, refused: Flight, next: Flight): boolean {
  const from = refused.ended!.order
  const isBetween = ({ order }: { order: number }) => order > from && order < next.begun.order
  if (journal.decided.some((each) => each.generation !== null && isBetween(each))) return true
  const known = new Map<string, { text: string; asOf: number }>()
  for (const { order, at, asOf, isAnswer, versions } of viewsOf(journal)) {
    if (order >= next.begun.order) break
    for (const { version, text } of versions) {
      const before = known.get(version)
      // A list that is older than the known state shows nothing new, nor does one during a call.
      const isOld = before !== undefined && asOf < before.asOf
      if (isOld || (!isAnswer && isUnderWay(journal, version, { order, at }))) continue
      if (order > from && before?.text !== text) return true
      known.set(version, { text, asOf })
    }
  }
  return false
}

const isUnderWay = (
  { flights, store }: Journal,
  version: string,
  { order, at }: { order: number; at: number }
) =>
  flights.some(({ call, begun, ended, deadline }) => {
    if (call.version !== version || begun.order > order) return false
    const isAnswered = ended && ended.error?.detail.outcome !== 'unknown'
    return isAnswered ? ended.order > order : at <= deadline + store.lagSeconds * 1000
  })

interface View {
  order: number
  /** When the read began. */
  at: number
  /** The earliest time that its content may be from. */
  asOf: number
  /** It answers a call. */
  isAnswer: boolean
  versions: { version: string; text: string }[]
}

const views = new WeakMap<Journal, View[]>()

/**
 * Returns every list and answer that the system got, in order, as text without the times of the
 * reads.
 */
function viewsOf(journal: Journal): View[] {
  const kept = views.get(journal)
  if (kept) return kept
  const textOf = ({ status, review, ...rest }: StoreVersion) =>
    JSON.stringify([status.state, status.raw, review?.state, rest])
  const all = journal.observations.map(({ order, beganAt, versions }) => ({
    order,
    at: beganAt,
    asOf: beganAt - journal.store.lagSeconds * 1000,
    isAnswer: false,
    versions: [
      ...versions.map((each) => ({ version: each.version, text: textOf(each) })),
      {
        version: 'all of the list',
        text: versions
          .map(({ id }) => id)
          .sort()
          .join(),
      },
    ],
  }))
  for (const { ended, arrived, result } of journal.flights) {
    if (!ended || ended.error || !arrived || !result || 'error' in result) continue
    const { before, after } = result
    const { version } = after
    all.push({
      order: ended.order,
      at: ended.at,
      asOf: arrived.at,
      isAnswer: true,
      versions: [...(before ? [before] : []), after].map((each) => ({
        version,
        text: textOf(each),
      })),
    })
  }
  all.sort((one, other) => one.order - other.order)
  views.set(journal, all)
  return all
}

/**
 * Rule: a call that failed only for its credentials is tried again once there are new ones, even if
 * they came during the call.
 */
export function judgeRenewals(journal: Journal): Finding[] {
  return journal.flights.flatMap((flight) => {
    const { begun, ended, lane } = flight
    if (ended?.error?.code !== 'unauthorized') return []
    const renewal = journal.renewals.find(({ order }) => order > begun.order)
    if (!renewal) return []
    const from = Math.max(renewal.order, ended.order)
    const since = Math.max(renewal.at, ended.at)
    const next = journal.flights.find((each) => each.begun.order > from)?.begun.order
    const idle = journal.idle.find(
      (each) => each.lane === lane && each.order > from && each.at < since + MINUTE
    )
    if (!idle || idle.order > (next ?? Infinity)) return []
    const isNew = (each: { order: number }) => each.order > begun.order && each.order < idle.order
    // Another call may have replaced it, or be under way.
    const isBusy = journal.flights.some(
      (each) => each !== flight && (isNew(each.begun) || isOpenAt(each, idle))
    )
    if (isBusy || [...journal.decided, ...journal.observations, ...journal.freezes].some(isNew)) {
      return []
    }
    return [finding('new credentials are used', flight, 'was not tried again with new credentials')]
  })
}

/** Returns whether a call may still reach the store, or its answer is awaited. */
const isOpenAt = ({ begun, arrived, ended, deadline }: Flight, { order, at }: Idle) =>
  begun.order < order &&
  ((ended?.order ?? Infinity) > order || (arrived === undefined && at <= deadline + 24 * HOUR))
