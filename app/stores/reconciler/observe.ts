import { later, type Instant } from '#foundation/core/clock'
import { MINUTE, SECOND } from '#foundation/core/durations'
import type { SeenVersion } from '../derive/seen.js'
import { adoptionOf, type Adoption } from './adoption.js'
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
  isOver,
  isReached,
  isReleased,
  isStopped,
  reachedBy,
  REVIEW_IN_PROGRESS,
  reviewBeside,
  stateKey,
  stops,
} from './states.js'

/** The longest that a read itself takes, in milliseconds. */
const LONGEST_READ = 10 * MINUTE

/** An observation that was believed, and differs from the one before. */
export interface Shown {
  version: string
  before: SeenVersion | null
  after: SeenVersion
  /** The newest one before it whose state was a known one. */
  knownBefore: SeenVersion | null
}

/** Changes that somebody made outside of the service, and that are decisions from now on. */
export interface Adopted extends Adoption {
  version: string
  at: Instant
  /**
   * The standing of the stop (by the guard, the red button or a person) after which this makes the
   * version grow; null without one.
   */
  afterStop: WantedRollout['is'] | null
}

/** A review that began again by a call of ours for another version. */
export interface Restarted {
  version: string
  cause: StoreCall
}

export interface Observations {
  shown: Shown[]
  adopted: Adopted[]
  restarted: Restarted[]
}

/** A version as a store lists it, by the name that it has in the record. */
export interface Listed {
  version: string
  seen: SeenVersion
}

/**
 * Takes in a read of the store. An observation that may be older than the last call, or than
 * what is known, proves nothing and changes nothing.
 */
export function observe(
  record: StoreRecord,
  all: readonly Listed[],
  beganAt: Instant,
  now: Instant
): Observations {
  const observations: Observations = { shown: [], adopted: [], restarted: [] }
  // Versions that existed before the first read are nobody's change.
  const isFirst = record.polledAt === null
  if (record.polledAt === null || record.polledAt < beganAt) record.polledAt = beganAt
  record.pollFailure = null
  if (all.length > 0) record.lagSeconds = Math.max(...all.map(({ seen }) => seen.lagSeconds))
  for (const { version: name, seen } of all) {
    const version = versionIn(record, name)
    if (isBelieved(record, version, seen, now)) believe(record, version, seen, now, observations)
  }
  if (isFirst) observations.adopted = []
  forgetRefused(record)
  keepRefused(record)
  observations.restarted = restartsShown(record)
  return observations
}

/** Restarted reviews that a read shows under way after the call that caused it, recorded once. */
function restartsShown(record: StoreRecord): Restarted[] {
  const shown: Restarted[] = []
  for (const each of record.calls) {
    const isStill = (name: string) => {
      const known = record.versions.find(({ version }) => version === name)?.known
      if (!known) return false
      if (known.at <= later(surelyOver(record, each), known.lagSeconds * SECOND)) return true
      const isApplied = each.outcome?.is === 'applied' || isCarriedOut(record, each)
      if (isApplied && isInReview(known.state)) shown.push({ version: name, cause: each.call })
      return false
    }
    if (each.restarts) each.restarts = each.restarts.filter(isStill)
  }
  return shown
}

/** Returns whether a call whose answer was lost seems to have been applied. */
function isCarriedOut({ versions }: StoreRecord, { call }: CallRecord): boolean {
  const known = versions.find(({ version }) => version === call.version)?.known
  if (!known) return false
  return call.method === 'cancelReview' ? isEditable(known.state) : leadsTo(call, known)
}

/** A review that is seen only after it was in the way of a call is what the call was refused for. */
function keepRefused(record: StoreRecord): void {
  for (const { call, outcome } of record.calls) {
    if (outcome?.is !== 'refused' || outcome.reason !== REVIEW_IN_PROGRESS) continue
    if (reviewBeside(record, call.version)) outcome.fingerprint = fingerprintOf(record)
  }
}

/**
 * Forgets refusals for states that a version certainly no longer has: if it returns to them, the
 * store may answer differently.
 */
function forgetRefused(record: StoreRecord): void {
  for (const version of record.versions) {
    if (!isProof(record, version)) continue
    const now = markOf(version)
    for (const { outcome } of record.calls) {
      if (outcome?.is !== 'refused') continue
      outcome.fingerprint = outcome.fingerprint.filter(
        (mark) => mark === now || !isMarkOf(mark, version.version)
      )
    }
  }
}

/** Takes in the answer to a call: it shows the store as the call found and left it. */
export function observeAnswer(
  record: StoreRecord,
  call: CallRecord,
  { before, after }: CallAnswer,
  now: Instant
): Observations {
  const observations: Observations = { shown: [], adopted: [], restarted: [] }
  const version = versionIn(record, call.call.version)
  // A read during the call may be newer than its answer; another read decides.
  if (version.past.some(({ until }) => until > call.beganAt)) return observations
  if (before && before.lagSeconds === 0 && isNews(record, version, before, call)) {
    believe(record, version, before, now, observations)
    observations.adopted = observations.adopted.filter((each) => stillStands(each, after))
  }
  if (after.lagSeconds > 0) {
    // Effects of our own call are nobody else's change.
    const own = { ...observations, adopted: [] }
    if (isBelieved(record, version, after, now)) believe(record, version, after, now, own)
    return observations
  }
  if (before) remember(version, before, now)
  // It shows the store as the call left it, which is no older than the call's end.
  const answer = { ...after, at: now, ofCall: call.idempotencyKey }
  believe(record, version, answer, now, observations)
  return observations
}

/**
 * Returns whether an outside change that a call found still holds after it; a stop is wanted in any
 * case.
 */
const stillStands = ({ rollout }: Adoption, after: SeenVersion) =>
  !rollout || stops(rollout) || (after.rollout !== null && isReached(rollout, after.rollout))

/** Returns whether the state that a call found was never observed, and no call of ours made it. */
function isNews(
  record: StoreRecord,
  { version, known, past }: VersionRecord,
  before: SeenVersion,
  call: CallRecord
): boolean {
  const key = stateKey(before)
  if (known !== null && stateKey(known) === key) return false
  if (past.some((each) => each.key === key && each.until >= call.beganAt)) return false
  // An effect of an earlier attempt of ours is no news.
  return !record.calls.some(
    (each) => each !== call && each.call.version === version && each.outcome?.is === 'unknown'
  )
}

/** Returns whether an observation is trustworthy: certainly no older than what is known. */
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
  const oldest = later(seen.at, -seen.lagSeconds * SECOND)
  if (past.some((each) => each.key === key && each.until >= oldest)) return false
  const last = lastChange(record, version.version)
  if (last === null) return true
  const isSince = seen.at > later(endOf(last), seen.lagSeconds * SECOND)
  if (isSince) return true
  // No call of ours leads there: somebody else did it, or the store.
  if (known !== null && oldest > known.at && !mayLead(last, seen)) return true
  // The effect of a call whose answer was lost may never have been observed.
  const isAfterLost = last.outcome?.is === 'applied' && isBeforeLost(record, version, seen)
  if (isAfterLost) return false
  // Within the lag of a call of ours a read may be older than what the call left.
  const isOurStop = version.rollout !== null && stops(version.rollout.to)
  if (isOurStop && known !== null && isStopped(known.rollout)) return false
  return !canArrive(record, last, now) || shows(version, seen) || now > arrivesBy(record, last)
}

/**
 * Returns whether a read may show the state before a call whose answer was lost reached the store.
 */
const isBeforeLost = (record: StoreRecord, { version }: VersionRecord, seen: SeenVersion) =>
  record.calls.some(
    (each) =>
      each.call.version === version &&
      each.outcome?.is === 'unknown' &&
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
  if (rollout?.is === 'underWay') {
    return seen.rollout !== null && isReached(rollout.to, seen.rollout)
  }
  return wanted?.is === 'underWay' && reachedBy(seen.state) === wanted.what
}

function believe(
  record: StoreRecord,
  version: VersionRecord,
  seen: SeenVersion,
  now: Instant,
  { shown, adopted }: Observations
): void {
  const { seen: before, known: knownBefore } = version
  const isSame = before !== null && stateKey(before) === stateKey(seen)
  // An answer stays the proof that it is.
  const kept = isSame && seen.ofCall === null && before.ofCall !== null && before.at >= seen.at
  if (kept) return
  version.seen = seen
  if (!isSame) shown.push({ version: version.version, before, after: seen, knownBefore })
  if (seen.state === 'unknown') return
  version.known = isSame && knownBefore?.offered ? { ...seen, offered: knownBefore.offered } : seen
  if (knownBefore === null || stateKey(knownBefore) === stateKey(seen)) {
    if (knownBefore === null) adopt(record, version, null, seen, adopted)
    return
  }
  remember(version, knownBefore, now)
  forget(record, version, now)
  if (seen.ofCall === null) adopt(record, version, knownBefore, seen, adopted)
}

/** Keeps a state that reads which lag may show again. */
function remember(version: VersionRecord, seen: SeenVersion, until: Instant): void {
  const key = stateKey(seen)
  version.past = [...version.past.filter((each) => each.key !== key), { key, until }]
}

function forget({ lagSeconds }: StoreRecord, version: VersionRecord, now: Instant): void {
  const oldest = later(now, -(lagSeconds * SECOND + LONGEST_READ))
  version.past = version.past.filter(({ until }) => until >= oldest)
}

function adopt(
  record: StoreRecord,
  version: VersionRecord,
  before: SeenVersion | null,
  after: SeenVersion,
  adopted: Adopted[]
): void {
  const { rollout } = version
  for (const adoption of adoptionOf(version, before, after)) {
    if (isOurs(record, version, before, adoption, after)) continue
    const isFurther = adoption.rollout ? !stops(adoption.rollout) : adoption.wanted !== 'withdrawn'
    const isAfter = isFurther && rollout?.isUrgent === true && stops(rollout.to)
    const afterStop = isAfter ? rollout.is : null
    adopted.push({ ...adoption, version: version.version, at: after.at, afterStop })
  }
}

/**
 * Returns whether a call of ours may have made a change, whatever became of its decision: the store
 * was not read since that call was certainly over.
 */
const isOurs = (
  record: StoreRecord,
  { version }: VersionRecord,
  before: SeenVersion | null,
  adoption: Adoption,
  after: SeenVersion
) =>
  record.calls.some((each) => {
    const { call, outcome } = each
    if (outcome?.is === 'refused') return false
    const isAsked =
      call.version === version
        ? adoption.rollout
          ? leadsTo(call, after)
          : ASKED[call.method] === adoption.wanted
        : record.type === 'google' && isTakenAlong(call, before)
    const end = later(surelyOver(record, each), after.lagSeconds * SECOND)
    return isAsked && (before === null || before.at <= end)
  })

/** A commit at Google Play sends all that waits for it. */
const isTakenAlong = ({ method }: StoreCall, before: SeenVersion | null) =>
  method !== 'prepare' && before?.waitsForSending === true

/** The stage that a call brings about. */
const ASKED: Partial<Record<StoreCall['method'], Wanted['what']>> = {
  submit: 'submitted',
  cancelReview: 'withdrawn',
  release: 'released',
}
