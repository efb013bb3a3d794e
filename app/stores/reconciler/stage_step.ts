import { later, type Instant } from '#foundation/core/clock'
import { SECOND } from '#foundation/core/durations'
import type { SeenVersion } from '../derive/seen.js'
import { canArrive, isProof, isProofOf, lastCallOf, provesFrom } from './calls.js'
import type { Staging, StoreCall, StoreRecord, VersionRecord, Wanted } from './record.js'
import { isEditable, isForUsers, isListed, isOver, isReleased } from './states.js'
import { callStep, MAX_PENDING, PUBLISH, SEND_FOR_REVIEW, type Step } from './step.js'

/** Returns the next step of the decision about a version's stage. Pure. */
export function stageStep(
  record: StoreRecord,
  version: VersionRecord,
  wanted: Wanted,
  now: Instant
): Step {
  const own = lastCallOf(record, version, deciding(wanted))
  const isSent = own?.outcome?.kind === 'applied' && own.call.method !== 'prepare'
  if (isSent && version.known?.waitsForSending && isProof(record, version)) return SEND_FOR_REVIEW
  switch (wanted.what) {
    case 'submitted':
      return submission(record, version, wanted, now)
    case 'withdrawn':
      return withdrawal(record, version, wanted, now)
    case 'released':
      return takeoff(record, version, wanted, now)
  }
}

function submission(
  record: StoreRecord,
  version: VersionRecord,
  wanted: Wanted,
  now: Instant
): Step {
  const { known, seen } = version
  // An older version of the service did not store the build.
  if (!wanted.how) return { kind: 'failed', reason: 'Its build is no longer known.' }
  const { how } = wanted
  const sent = lastCallOf(record, version, deciding(wanted), 'submit')
  if (seen !== null && seen.state === 'unknown') {
    const message = `The store shows ${version.version} as ${seen.raw}, a status not known here. The release pilot decides what to do after a check in the store.`
    return { kind: 'asking', message }
  }
  const isOpen = known === null || isEditable(known.state)
  if (known !== null && isOver(known.state)) {
    return {
      kind: 'asking',
      message: `${version.version} is ${known.raw} in the store, and cannot be submitted.`,
    }
  }
  if (!isOpen) {
    if (holds(known, how)) {
      const isOurs = sent !== null && sent.outcome?.kind !== 'refused'
      const step = proven(record, version, wanted, now)
      if (isOurs || step.kind !== 'fulfilled') return step
      const message = `${version.version} was submitted outside of Tarmac before it was submitted here, and goes to users as configured there. The release pilot decides whether that is meant.`
      return { kind: 'asking', message }
    }
    const other = known.buildNumbers[0] ?? 'another build'
    const message = `The store already has ${other} for ${version.version} (${known.raw}), but ${how.buildNumber} was meant to be submitted.`
    return { kind: 'asking', message }
  }
  if (sent?.outcome?.kind === 'applied') {
    // The store may reject it before the first read after the submission.
    const isVerdict = known !== null && known.state !== wanted.saw && isRejection(known)
    if (isVerdict && isProof(record, version)) return { kind: 'fulfilled' }
    return pending(record, version, sent.endedAt!, now)
  }
  if (record.polledAt === null || record.polledAt <= wanted.at) {
    return { kind: 'poll', from: now, reason: null }
  }
  const isHidden = sent?.outcome?.kind === 'refused' && sent.outcome.code === 'notFound'
  if (isHidden && known !== null && known.at <= sent.endedAt!) return appearing(sent.endedAt!, now)
  if (!isPrepared(record, version, wanted)) {
    return call(record, wanted, { version: version.version, method: 'prepare', ...how }, now)
  }
  const submit = { method: 'submit', ref: known!.storeRef, onReviewInProgress: 'fail' } as const
  const { phased, fraction } = how
  const staging = fraction === undefined ? { phased } : { phased, fraction }
  return call(record, wanted, { version: version.version, ...submit, ...staging }, now)
}

function withdrawal(
  record: StoreRecord,
  version: VersionRecord,
  wanted: Wanted,
  now: Instant
): Step {
  const { known } = version
  const submitting = record.calls.find(
    (each) =>
      each.call.version === version.version &&
      each.call.method === 'submit' &&
      canArrive(record, each, now)
  )
  if (known === null || isEditable(known.state)) {
    if (!submitting) return proven(record, version, wanted, now)
    const until = later(submitting.deadline, record.lagSeconds * SECOND + 1)
    return { kind: 'waiting', until, reason: 'A submission may still be on its way to the store.' }
  }
  if (isReleased(known.state)) {
    const message = `${version.version} went out to users (${known.raw}) before it was withdrawn.`
    return { kind: 'asking', message }
  }
  const cancelled = lastCallOf(record, version, deciding(wanted), 'cancelReview')
  if (cancelled?.outcome?.kind === 'applied') {
    return pending(record, version, cancelled.endedAt!, now)
  }
  const cancel = { method: 'cancelReview', ref: known.storeRef } as const
  return call(record, wanted, { version: version.version, ...cancel }, now)
}

function takeoff(record: StoreRecord, version: VersionRecord, wanted: Wanted, now: Instant): Step {
  const { known } = version
  if (known !== null && isOver(known.state)) {
    return { kind: 'failed', reason: `The store shows ${known.raw}.` }
  }
  if (known !== null && isReleased(known.state)) return proven(record, version, wanted, now)
  const requested = lastCallOf(record, version, deciding(wanted), 'release')
  if (requested?.outcome?.kind === 'applied')
    return pending(record, version, requested.endedAt!, now)
  if (known?.state !== 'pendingRelease') {
    const message = `${version.version} was meant to be released, but the store shows ${known?.raw ?? 'nothing of it'}.`
    return { kind: 'asking', message }
  }
  const isGoogle = record.type === 'google'
  // Other versions may have been approved since.
  if (isGoogle && (record.polledAt === null || record.polledAt <= wanted.at)) {
    return { kind: 'poll', from: now, reason: null }
  }
  const other = isGoogle ? publishedAlong(record, version) : undefined
  if (other?.wanted?.what === 'withdrawn' && other.wanted.status === 'underWay') {
    const reason = `${other.version} is withdrawn first: Google Play publishes all approved versions at once.`
    return { kind: 'blocked', reason }
  }
  if (other) {
    const message = `${version.version} was not released: Google Play publishes all approved versions at once, and nobody released ${other.version}, which is approved too. Release it as well, or discard it in the Play Console.`
    return { kind: 'asking', message }
  }
  if (isGoogle) return PUBLISH
  const release = { method: 'release', ref: known.storeRef } as const
  return call(record, wanted, { version: version.version, ...release }, now)
}

/**
 * Returns an approved version that nobody released, and that Google Play would publish along with
 * this one.
 */
function publishedAlong(record: StoreRecord, { version }: VersionRecord) {
  const isReleasing = ({ what, stoppedAt }: Wanted) =>
    what === 'released' && stoppedAt === undefined
  return record.versions.find(
    ({ wanted, known, ...other }) =>
      other.version !== version &&
      known?.state === 'pendingRelease' &&
      isListed(record, known) &&
      isForUsers(known) &&
      known.release?.method === 'manual' &&
      !(wanted && isReleasing(wanted))
  )
}

const deciding = ({ generation, at }: Wanted) =>
  ({ slot: 'wanted', generation, lane: 'usual', at }) as const

const call = (record: StoreRecord, wanted: Wanted, made: StoreCall, now: Instant): Step =>
  callStep(record, deciding(wanted), made, now)

/**
 * Fulfilled once an observation cannot be older than the decision and our last call; until then,
 * polls.
 */
function proven(record: StoreRecord, version: VersionRecord, wanted: Wanted, now: Instant): Step {
  const { at } = wanted
  const since = later(at, record.lagSeconds * SECOND)
  const own = lastCallOf(record, version, deciding(wanted))
  if (isProofOf(record, version, at, own)) return { kind: 'fulfilled' }
  const from = provesFrom(record, version.version) ?? now
  return { kind: 'poll', from: from > since ? from : later(since, 1), reason: null }
}

/** Polls while the store does not show a call that it confirmed; fails after an hour. */
function pending(record: StoreRecord, version: VersionRecord, since: Instant, now: Instant): Step {
  if (later(since, MAX_PENDING) < now && isProof(record, version)) {
    const raw = version.known?.raw ?? 'nothing of it'
    return {
      kind: 'failed',
      reason: `The store accepted the call, and an hour later shows ${raw}.`,
    }
  }
  const from = provesFrom(record, version.version) ?? now
  return { kind: 'poll', from, reason: 'The store has not shown it yet.' }
}

/** Polls until the store shows a version that was just prepared; fails after an hour. */
function appearing(since: Instant, now: Instant): Step {
  if (later(since, MAX_PENDING) < now) {
    return {
      kind: 'failed',
      reason: 'The store accepted the version, and an hour later does not show it.',
    }
  }
  return { kind: 'poll', from: later(since, 1), reason: 'The store does not show the version yet.' }
}

const isRejection = ({ state }: SeenVersion) =>
  state === 'rejected' || state === 'metadataRejected' || state === 'invalidBinary'

/** Returns whether the build was prepared in the store for this decision. */
const isPrepared = (record: StoreRecord, version: VersionRecord, wanted: Wanted) =>
  version.known !== null &&
  lastCallOf(record, version, deciding(wanted), 'prepare')?.outcome?.kind === 'applied'

/** Returns whether a version contains a build; one that lists no builds may contain any. */
const holds = ({ buildNumbers }: SeenVersion, { buildNumber }: Staging) =>
  buildNumbers.length === 0 || buildNumbers.includes(buildNumber)
