import { later, type Instant } from '#foundation/core/clock'
import { SECOND, WEEK } from '#foundation/core/durations'
import type { CallRecord, Slot, StoreCall, StoreRecord, VersionRecord } from './record.js'
import type { SeenVersion } from '../derive/seen.js'
import { isReached, stops } from './states.js'

/*
 * Calls to a store. A call whose answer was lost counts as under way until its deadline and the
 * store's lag have passed.
 */

/** Returns the time after which a call can no longer take effect at the store. */
export const arrivesBy = (
  { lagSeconds }: Pick<StoreRecord, 'lagSeconds'>,
  { deadline }: CallRecord
): Instant => later(deadline, lagSeconds * SECOND)

/**
 * Returns when a call is certainly over: when it was answered, or when it can no longer take
 * effect.
 */
export const surelyOver = (record: Pick<StoreRecord, 'lagSeconds'>, call: CallRecord): Instant =>
  call.outcome?.kind === 'applied' ? call.endedAt! : arrivesBy(record, call)

/** Returns whether a call that was begun may still reach the store. */
export function canArrive(
  record: Pick<StoreRecord, 'lagSeconds'>,
  call: CallRecord,
  now: Instant
): boolean {
  const isOpen = call.endedAt === null || call.outcome?.kind === 'unknown'
  return isOpen && now <= arrivesBy(record, call)
}

/** Returns whether a call gives the version to more users, or submits it for review. */
function grows({ call }: CallRecord): boolean {
  if (call.method === 'release' || call.method === 'submit') return true
  if (call.method !== 'setRollout') return false
  return 'fraction' in call.to || !stops(call.to)
}

/** Returns calls that give a version to more users and may still reach the store. */
export const growthOnItsWay = (record: StoreRecord, version: string, now: Instant) =>
  record.calls.filter(
    (each) => each.call.version === version && grows(each) && canArrive(record, each, now)
  )

/**
 * Returns whether a rollout is where a call would lead it; a release may begin one at any share.
 */
export function leadsTo(call: StoreCall, { rollout }: Pick<SeenVersion, 'rollout'>): boolean {
  if (call.method !== 'setRollout') return call.method === 'release'
  const { to } = call
  const change =
    'fraction' in to
      ? ({ action: 'set', percentage: Math.round(to.fraction * 1e6) / 1e4 } as const)
      : to
  return rollout !== null && isReached(change, rollout)
}

/** Returns the last call of a decision about a version, of one method if given. */
export function lastCallOf(
  record: StoreRecord,
  { version }: Pick<VersionRecord, 'version'>,
  decision: { slot: Slot; generation: number },
  method?: StoreCall['method']
): CallRecord | null {
  const own = record.calls.filter(
    (each) =>
      each.call.version === version &&
      each.slot === decision.slot &&
      each.generation === decision.generation &&
      (method === undefined || each.call.method === method)
  )
  return own.at(-1) ?? null
}

/** Returns calls that changed a version, or may have. */
const changesOf = ({ calls }: StoreRecord, version: string) =>
  calls.filter(({ call, outcome }) => call.version === version && outcome?.kind !== 'refused')

/**
 * Returns the call that changed a version last. A stop may end before the growth that it overtook.
 */
export const lastChange = (record: StoreRecord, version: string): CallRecord | null =>
  changesOf(record, version).reduce<CallRecord | null>(
    (last, each) => (last !== null && endOf(last) > endOf(each) ? last : each),
    null
  )

/** Returns calls of a version with an unknown outcome. */
const unsettled = ({ calls }: StoreRecord, version: string) =>
  calls.filter(
    ({ call, endedAt, outcome }) =>
      call.version === version && (endedAt === null || outcome?.kind === 'unknown')
  )

/** Returns when a call was over at the store; its deadline if unknown. */
export const endOf = ({ endedAt, outcome, deadline }: CallRecord): Instant =>
  endedAt !== null && outcome?.kind === 'applied' ? endedAt : deadline

/**
 * Returns whether the observed state of a version reflects all of our calls for it. Each call
 * ended, and the declared lag passed, before the read began. If the state is the answer to a call,
 * the other calls ended before that one began. And no call whose answer was lost can still take
 * effect.
 */
export function isProof(record: StoreRecord, { version, known }: VersionRecord): boolean {
  if (known === null) return false
  const isBeforeOther = unsettled(record, version).some(
    (each) => known.at <= arrivesBy(record, each)
  )
  if (isBeforeOther) return false
  const own = record.calls.findLast(({ idempotencyKey }) => idempotencyKey === known.ofCall)
  return changesOf(record, version).every(
    (each) =>
      each === own ||
      (own !== undefined && endOf(each) <= own.beganAt) ||
      known.at > later(endOf(each), known.lagSeconds * SECOND)
  )
}

/**
 * Returns whether the known state of a version proves anything about a decision: it is newer than
 * the decision and all of our calls. It is a read that began after the lag, or the answer to the
 * decision's own or a later call.
 */
export function isProofOf(
  record: StoreRecord,
  version: VersionRecord,
  decidedAt: Instant,
  own: CallRecord | null
): boolean {
  const { known } = version
  if (known === null) {
    const { polledAt, lagSeconds } = record
    return polledAt !== null && polledAt > later(decidedAt, lagSeconds * SECOND)
  }
  if (!isProof(record, version)) return false
  const { at, ofCall, lagSeconds } = known
  if (ofCall === null) return at > later(decidedAt, lagSeconds * SECOND)
  if (own?.idempotencyKey === ofCall) return true
  const call = record.calls.findLast(({ idempotencyKey }) => idempotencyKey === ofCall)
  return call !== undefined && call.beganAt > decidedAt
}

/**
 * Returns the earliest start of a read that reflects all of our calls for a version; null without
 * calls.
 */
export function provesFrom(record: StoreRecord, version: string): Instant | null {
  const last = lastChange(record, version)
  if (last === null) return null
  const ends = unsettled(record, version).map((each) => arrivesBy(record, each))
  ends.push(later(endOf(last), record.lagSeconds * SECOND))
  return later(ends.sort().at(-1)!, 1)
}

/** Milliseconds after its deadline when a call is forgotten in any case. */
const FORGOTTEN = WEEK

/** Removes calls that can no longer take effect and say nothing about a standing decision. */
export function pruneCalls(record: StoreRecord, now: Instant): void {
  record.calls = record.calls.filter((each, index) => {
    if (later(each.deadline, FORGOTTEN) < now) return false
    if (each.restarts && each.restarts.length > 0) return true
    const { call, slot, generation, endedAt, outcome } = each
    if (outcome?.kind === 'refused' && (outcome.retryAt ?? '') > now) return true
    const version = record.versions.find((one) => one.version === call.version)
    const isUnsettled = endedAt === null || outcome?.kind === 'unknown'
    const at = version?.known?.at ?? null
    const decidedAt = version?.[slot]?.at ?? null
    if (isUnsettled && canArrive(record, each, now)) return true
    const isAlike = (one: CallRecord) =>
      one.call.version === call.version &&
      one.generation === generation &&
      one.slot === slot &&
      one.call.method === call.method
    const isSame = (one: CallRecord) => isAlike(one) && one.outcome?.kind === outcome?.kind
    // Among attempts with the same end, the last one suffices.
    if (record.calls.findLastIndex(isSame) === index) {
      if (decidedAt !== null && endedAt !== null && endedAt >= decidedAt) return true
      if (isUnsettled && (at === null || at <= arrivesBy(record, each))) return true
    }
    if (version?.[slot]?.generation === generation) {
      if (record.calls.findLastIndex(isAlike) === index) return true
    }
    return lastChange(record, call.version) === each
  })
}
