import { earlier, later, type Instant } from '#foundation/core/clock'
import { MINUTE, SECOND } from '#foundation/core/durations'
import type { SeenVersion } from '../derive/seen.js'
import { findOutsideChanges, type OutsideChange } from './outside_changes.js'
import { arrivesBy, canArrive, endOf, isProof, lastChange, leadsTo, surelyOver } from './calls.js'
import {
  versionIn,
  type CallAnswer,
  type CallRecord,
  type StoreCall,
  type StoreRecord,
  type VersionRecord,
  type Wanted,
  type WantedRollout,
} from './record.js'
import {
  fingerprintOf,
  isMarkOf,
  markOf,
  isEditable,
  isInReview,
  isOnItsWay,
  isOut,
  isOver,
  isReached,
  isReleased,
  reachedBy,
  REVIEW_IN_PROGRESS,
  reviewBeside,
  stateKey,
  stops,
} from './states.js'

/** The longest duration of a read, in milliseconds. */
const MAX_READ = 10 * MINUTE

/** An accepted observation that differs from the one before. */
export interface Shown {
  version: string
  before: SeenVersion | null
  after: SeenVersion
  /** The newest earlier observation with a known state. */
  knownBefore: SeenVersion | null
}

/** A change made outside of Tarmac that becomes a decision. */
export interface ObservedOutsideChange extends OutsideChange {
  version: string
  at: Instant
  /**
   * If the change lets the version grow after an urgent stop: the state of that stop; else null.
   */
  afterStop: WantedRollout['status'] | null
}

/** A review that began again because of our call for another version. */
export interface Restarted {
  version: string
  cause: StoreCall
}

export interface Observations {
  shown: Shown[]
  outsideChanges: ObservedOutsideChange[]
  restarted: Restarted[]
}

/** A version in a store's list, with its name in the record. */
export interface Listed {
  version: string
  seen: SeenVersion
}

/**
 * Records a read of the store. An observation that may be older than the last call, or than the
 * known state, is ignored.
 */
export function observe(
  record: StoreRecord,
  all: readonly Listed[],
  beganAt: Instant,
  now: Instant
): Observations {
  const observations: Observations = { shown: [], outsideChanges: [], restarted: [] }
  // Nothing seen in the first read is a change.
  const isFirst = record.polledAt === null
  if (record.polledAt === null || record.polledAt < beganAt) record.polledAt = beganAt
  record.pollFailure = null
  if (all.length > 0) record.lagSeconds = Math.max(...all.map(({ seen }) => seen.lagSeconds))
  for (const { version: name, seen } of all) {
    const version = versionIn(record, name)
    if (isBelieved(record, version, seen, now)) believe(record, version, seen, now, observations)
    else markCrossed(record, version, seen)
  }
  if (isFirst) observations.outsideChanges = []
  forgetRefused(record)
  keepRefused(record)
  observations.restarted = restartsShown(record)
  return observations
}

/** Marks the calls under way whose answers may be older than a read of a change since they began. */
function markCrossed(record: StoreRecord, { version, past }: VersionRecord, seen: SeenVersion) {
  const key = stateKey(seen)
  if (past.some((each) => each.key === key)) return
  const oldest = earlier(seen.at, seen.lagSeconds * SECOND)
  for (const each of record.calls) {
    const isOpenThen = each.outcome === null && each.beganAt < oldest
    if (each.call.version === version && isOpenThen) each.crossedBy = key
  }
}

/** Returns reviews that a read shows under way after the call that restarted them, each once. */
function restartsShown(record: StoreRecord): Restarted[] {
  const shown: Restarted[] = []
  for (const each of record.calls) {
    const isPending = (name: string) => {
      const known = record.versions.find(({ version }) => version === name)?.known
      if (!known || isSubmittedSince(record, name, each)) return false
      if (known.at <= later(surelyOver(record, each), known.lagSeconds * SECOND)) return true
      const isApplied = each.outcome?.kind === 'applied' || isCarriedOut(record, each)
      if (isApplied && isInReview(known.state)) shown.push({ version: name, cause: each.call })
      return false
    }
    if (each.restarts) each.restarts = each.restarts.filter(isPending)
  }
  return shown
}

/** Returns whether we submitted a version after a call began: its review is a new one. */
const isSubmittedSince = ({ calls }: StoreRecord, version: string, { beganAt }: CallRecord) =>
  calls.some(
    (each) =>
      each.call.version === version && each.call.method === 'submit' && each.beganAt > beganAt
  )

/** Returns whether a call whose answer was lost seems to have been applied. */
function isCarriedOut({ versions }: StoreRecord, { call }: CallRecord): boolean {
  const known = versions.find(({ version }) => version === call.version)?.known
  if (!known) return false
  return call.method === 'cancelReview' ? isEditable(known.state) : leadsTo(call, known)
}

/**
 * Updates the fingerprint of refusals because of another review, once that review is seen: it was
 * there at the refusal.
 */
function keepRefused(record: StoreRecord): void {
  for (const { call, outcome } of record.calls) {
    if (outcome?.kind !== 'refused' || outcome.reason !== REVIEW_IN_PROGRESS) continue
    if (reviewBeside(record, call.version)) outcome.fingerprint = fingerprintOf(record)
  }
}

/**
 * Removes from refusals the states that a version certainly no longer has: if it returns to them,
 * the store may answer differently.
 */
function forgetRefused(record: StoreRecord): void {
  for (const version of record.versions) {
    if (!isProof(record, version)) continue
    const now = markOf(version)
    for (const { outcome } of record.calls) {
      if (outcome?.kind !== 'refused') continue
      outcome.fingerprint = outcome.fingerprint.filter(
        (mark) => mark === now || !isMarkOf(mark, version.version)
      )
    }
  }
}

/** Records the answer to a call: it shows the store before and after the call. */
export function observeAnswer(
  record: StoreRecord,
  call: CallRecord,
  { before, after }: CallAnswer,
  now: Instant
): Observations {
  const observations: Observations = { shown: [], outsideChanges: [], restarted: [] }
  const version = versionIn(record, call.call.version)
  // A read during the call may be newer than its answer, so the next read decides.
  const isOvertaken = version.past.some(({ until }) => until > call.beganAt)
  // A read of the state before the call, or after it, is no contradiction.
  const isShown = [before, after].some((each) => each && stateKey(each) === call.crossedBy)
  const isCrossed = call.crossedBy !== undefined && !isShown
  if (isOvertaken || isCrossed) return observations
  if (before && before.lagSeconds === 0 && isNews(record, version, before, call)) {
    believe(record, version, before, now, observations)
    observations.outsideChanges = observations.outsideChanges.filter((each) =>
      stillStands(each, after)
    )
  }
  if (after.lagSeconds > 0) {
    // The effects of our own call are not changes from outside.
    const own = { ...observations, outsideChanges: [] }
    if (isBelieved(record, version, after, now)) believe(record, version, after, now, own)
    return observations
  }
  if (before) remember(version, before, now)
  // The answer shows the state that the call left, which is no older than the call's end.
  const result = { ...after, at: now, ofCall: call.idempotencyKey }
  believe(record, version, result, now, observations)
  return observations
}

/** Returns whether a change from outside still holds after our call; a stop always counts. */
const stillStands = ({ rollout }: OutsideChange, after: SeenVersion) =>
  !rollout || stops(rollout) || (after.rollout !== null && isReached(rollout, after.rollout))

/** Returns whether the state before a call was never observed, and none of our calls made it. */
function isNews(
  record: StoreRecord,
  { version, known, past }: VersionRecord,
  before: SeenVersion,
  call: CallRecord
): boolean {
  const key = stateKey(before)
  if (known !== null && stateKey(known) === key) return false
  if (past.some((each) => each.key === key && each.until >= call.beganAt)) return false
  // It may be the effect of an earlier call of ours with an unknown outcome.
  return !record.calls.some(
    (each) => each !== call && each.call.version === version && each.outcome?.kind === 'unknown'
  )
}

/** Returns whether an observation is trustworthy: it is certainly no older than the known state. */
function isBelieved(
  record: StoreRecord,
  version: VersionRecord,
  seen: SeenVersion,
  now: Instant
): boolean {
  const { known, past } = version
  if (version.seen !== null && seen.at < version.seen.at) return false
  const key = stateKey(seen)
  if (known !== null && stateKey(known) === key) return true
  const oldest = earlier(seen.at, seen.lagSeconds * SECOND)
  if (past.some((each) => each.key === key && each.until >= oldest)) return false
  // A version that is out does not return to its review, so the read is older.
  if (known !== null && isOut(known.state) && isOnItsWay(seen.state) && oldest <= known.at) {
    return false
  }
  const last = lastChange(record, version.version)
  if (last === null) return true
  const isAfterLag = seen.at > later(endOf(last), seen.lagSeconds * SECOND)
  if (isAfterLag) return true
  // None of our calls leads to this state, so somebody else or the store made it.
  if (known !== null && oldest > known.at && !mayLead(last, seen)) return true
  // A call whose answer was lost may have taken effect unseen.
  const isAfterLost = last.outcome?.kind === 'applied' && isBeforeLost(record, version, seen)
  if (isAfterLost) return false
  // Within the lag of our call, a read may be older than its answer.
  const isShown = known !== null && shows(version, known)
  const isEffect = reachedBy(seen.state) === STAGE_OF[last.call.method]
  if (isEffect || (shows(version, seen) && !isShown)) return true
  if (known !== null && known.ofCall !== null && oldest <= known.at) return false
  return !canArrive(record, last, now) || now > arrivesBy(record, last)
}

/**
 * Returns whether a read may show the state before a call whose answer was lost reached the store.
 */
const isBeforeLost = (record: StoreRecord, { version }: VersionRecord, seen: SeenVersion) =>
  record.calls.some(
    (each) =>
      each.call.version === version &&
      each.outcome?.kind === 'unknown' &&
      seen.at <= later(arrivesBy(record, each), seen.lagSeconds * SECOND)
  )

/** Returns whether a call may have led to a state. */
function mayLead({ call: { method } }: CallRecord, { state }: SeenVersion): boolean {
  if (isOver(state)) return false
  switch (method) {
    case 'prepare':
    case 'cancelReview':
      return isEditable(state)
    case 'release':
      return isReleased(state)
    default:
      return true
  }
}

/** Returns whether an observation shows what was decided. */
function shows({ wanted, rollout }: VersionRecord, seen: SeenVersion): boolean {
  if (rollout?.status === 'underWay') {
    return seen.rollout !== null && isReached(rollout.to, seen.rollout)
  }
  return wanted?.status === 'underWay' && reachedBy(seen.state) === wanted.what
}

function believe(
  record: StoreRecord,
  version: VersionRecord,
  seen: SeenVersion,
  now: Instant,
  { shown, outsideChanges }: Observations
): void {
  const { seen: before, known: knownBefore } = version
  const isSame = before !== null && stateKey(before) === stateKey(seen)
  // An equal read does not replace the answer to a call, which proves more.
  const isBetterProof =
    isSame && seen.ofCall === null && before.ofCall !== null && before.at >= seen.at
  if (isBetterProof) return
  version.seen = seen
  if (!isSame) shown.push({ version: version.version, before, after: seen, knownBefore })
  if (seen.state === 'unknown') return
  version.known = isSame && knownBefore?.offered ? { ...seen, offered: knownBefore.offered } : seen
  if (knownBefore === null || stateKey(knownBefore) === stateKey(seen)) {
    if (knownBefore === null) addOutsideChanges(record, version, null, seen, outsideChanges)
    return
  }
  remember(version, knownBefore, now)
  forget(record, version, now)
  if (seen.ofCall === null) addOutsideChanges(record, version, knownBefore, seen, outsideChanges)
}

/** Keeps a past state that a lagging read may still show. */
function remember(version: VersionRecord, seen: SeenVersion, until: Instant): void {
  const key = stateKey(seen)
  version.past = [...version.past.filter((each) => each.key !== key), { key, until }]
}

function forget({ lagSeconds }: StoreRecord, version: VersionRecord, now: Instant): void {
  const oldest = earlier(now, lagSeconds * SECOND + MAX_READ)
  version.past = version.past.filter(({ until }) => until >= oldest)
}

function addOutsideChanges(
  record: StoreRecord,
  version: VersionRecord,
  before: SeenVersion | null,
  after: SeenVersion,
  outsideChanges: ObservedOutsideChange[]
): void {
  const { rollout } = version
  for (const change of findOutsideChanges(version, before, after)) {
    if (isOurs(record, version, before, change, after)) continue
    const isFurther = change.rollout ? !stops(change.rollout) : change.wanted !== 'withdrawn'
    const isAfter = isFurther && rollout?.isUrgent === true && stops(rollout.to)
    const afterStop = isAfter ? rollout.status : null
    outsideChanges.push({ ...change, version: version.version, at: after.at, afterStop })
  }
}

/**
 * Returns whether one of our calls may have made a change, even if its decision has ended: the
 * store was not read since that call was certainly over.
 */
const isOurs = (
  record: StoreRecord,
  { version }: VersionRecord,
  before: SeenVersion | null,
  change: OutsideChange,
  after: SeenVersion
) =>
  record.calls.some((each) => {
    const { call, outcome } = each
    if (outcome?.kind === 'refused') return false
    const mayCause =
      call.version === version
        ? change.rollout
          ? leadsTo(call, after)
          : STAGE_OF[call.method] === change.wanted
        : record.type === 'google' && isCommittedAlong(call, before)
    const end = later(surelyOver(record, each), after.lagSeconds * SECOND)
    return mayCause && (before === null || before.at <= end)
  })

/** Returns whether a commit on Google Play sent a waiting version along. */
const isCommittedAlong = ({ method }: StoreCall, before: SeenVersion | null) =>
  method !== 'prepare' && before?.waitsForSending === true

/** The stage that a call brings about. */
const STAGE_OF: Partial<Record<StoreCall['method'], Wanted['what']>> = {
  submit: 'submitted',
  cancelReview: 'withdrawn',
  release: 'released',
}
