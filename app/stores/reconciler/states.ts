import { later } from '#foundation/core/clock'
import { MINUTE, SECOND } from '#foundation/core/durations'
import type { StoreVersionState } from '#plugin-kit/capabilities/stores'
import type { SeenRollout, SeenVersion } from '../derive/seen.js'
import type { KnownVersion } from '../derive/store_facts.js'
import {
  isOpen,
  type RolloutChange,
  type Staging,
  type StoreRecord,
  type VersionRecord,
  type Wanted,
} from './record.js'

type State = StoreVersionState | 'unknown'

/** Milliseconds after the lag when a version that is no longer listed counts as gone. */
const UNLISTED = 10 * MINUTE

const EDITABLE: readonly State[] = [
  'preparing',
  'readyForReview',
  'rejected',
  'metadataRejected',
  'developerRejected',
  'invalidBinary',
]
const IN_REVIEW: readonly State[] = ['waitingForReview', 'inReview']
const RELEASED: readonly State[] = [
  'processing',
  'rolledOutPartially',
  'live',
  'halted',
  'replaced',
  'removed',
]
/** States that a version leaves only if Google Play serves it again. */
const OVER: readonly State[] = ['replaced', 'removed']

export const isEditable = (state: State) => EDITABLE.includes(state)
export const isInReview = (state: State) => IN_REVIEW.includes(state)
export const isReleased = (state: State) => RELEASED.includes(state)
export const isOver = (state: State) => OVER.includes(state)
/** Returns whether users have, or had, a version; a release is still being processed before. */
export const isOut = (state: State) => isReleased(state) && state !== 'processing'
/** Returns whether a version is between its submission and its users. */
export const isOnItsWay = (state: State) =>
  isInReview(state) || state === 'pendingRelease' || state === 'processing'

/** Returns whether a change stops a rollout. */
export const stops = ({ action }: RolloutChange) => action === 'halt' || action === 'pause'

/**
 * Returns whether a store releases a version by itself after approval, as the store says, or else
 * as the version was submitted. A version that waits for its release although the store reports no
 * method does not. Null if unknown.
 */
export function releasesByItself(
  seen: Pick<SeenVersion, 'state' | 'release'> | null,
  how: Pick<Staging, 'release'> | null
): boolean | null {
  if (seen?.release) return seen.release.method !== 'manual'
  if (how !== null && how.release !== 'manual') return true
  return seen?.state === 'pendingRelease' ? false : null
}

/** Returns whether a version is on its way to users, or waits to be sent for review. */
const isComing = ({ state, waitsForSending }: SeenVersion) => isOnItsWay(state) || waitsForSending

/**
 * Returns whether a version that is not out yet may go out: by an open decision, or because people
 * publish it in a console.
 */
export const canGoOut = ({ known, wanted }: Standing): boolean =>
  (known !== null && isComing(known)) || (isOpen(wanted) && wanted.what !== 'withdrawn')

/**
 * Returns whether `canGoOut` holds, or a call of an ended decision may still release the version.
 */
export const mayGoOut = (version: Standing): boolean =>
  canGoOut(version) || version.wanted?.stoppedAt !== undefined

type Standing = Pick<VersionRecord, 'known' | 'wanted'>

/** Returns whether users get a version that nothing has stopped. */
export const isRunning = ({ state, rollout }: SeenVersion) =>
  isOut(state) && !isOver(state) && !isStopped(rollout)

export const isStopped = (rollout: Pick<SeenRollout, 'state'> | null) =>
  rollout?.state === 'halted' || rollout?.state === 'paused'

/** Returns a key of a version's state; reads with equal keys show the same. */
export function stateKey(seen: SeenVersion): string {
  const { state, raw, review, rollout, waitsForSending, rejection } = seen
  const shown = rollout && [rollout.state, rollout.percentage, rollout.day]
  const reported = rejection ? [rejection] : []
  return JSON.stringify([state, raw, review, shown, waitsForSending ?? false, ...reported])
}

/**
 * Returns all that a store shows, and the version of its credentials. A refusal holds until they
 * change.
 */
export const fingerprintOf = ({ versions, credentials }: StoreRecord): string[] => [
  `credentials ${credentials}`,
  ...versions.map(markOf).sort(),
]

/** Returns the part of a fingerprint that belongs to a version. */
export const markOf = ({ version, known }: VersionRecord) =>
  `${version} ${known === null ? '' : stateKey(known)}`

/**
 * Returns whether a part of a fingerprint belongs to a version, in any state: after the name it is
 * JSON, or empty.
 */
export const isMarkOf = (mark: string, version: string) =>
  mark.startsWith(`${version} `) && /^(\[|$)/.test(mark.slice(version.length + 1))

/** Returns whether a rollout is where a change wants it. */
export function isReached(
  to: RolloutChange,
  { state, percentage }: Pick<SeenRollout, 'state' | 'percentage'>
): boolean {
  switch (to.action) {
    case 'pause':
    case 'halt':
      // Apple has no halt: a phased release is paused instead.
      return isStopped({ state })
    case 'resume':
      return state === 'active' || state === 'complete'
    case 'complete':
      return state === 'complete'
    case 'set':
      return state === 'active' && percentage === to.percentage
  }
}

/** Returns the decision that puts a version into a state; null if the store decides. */
export function reachedBy(state: State): Wanted['what'] | null {
  if (isInReview(state) || state === 'pendingRelease') return 'submitted'
  if (state === 'developerRejected') return 'withdrawn'
  return state === 'rolledOutPartially' || state === 'live' ? 'released' : null
}

/** The reason of a refusal as plugins say that a review is in the way. */
export const REVIEW_IN_PROGRESS = 'reviewInProgress'

/**
 * Returns another version of the app in review on Google Play, which reviews all changes together;
 * null without one.
 */
export function reviewBeside(record: StoreRecord, version: string): VersionRecord | null {
  if (record.type !== 'google') return null
  const isBeside = ({ version: other, known }: VersionRecord) =>
    other !== version && known !== null && isInReview(known.state) && isListed(record, known)
  return record.versions.find(isBeside) ?? null
}

/** Returns whether a store still lists a version, as far as lagging reads can show. */
export const isListed = ({ polledAt, lagSeconds }: StoreRecord, { at }: KnownVersion) =>
  polledAt === null || polledAt <= later(at, lagSeconds * SECOND + UNLISTED)

/**
 * Returns whether any version of a store is moving: by itself, by a decision, or because it is
 * below 100 %, so that a person may move it at any time.
 */
export const isMoving = (record: StoreRecord) =>
  record.versions.some((each) => isVersionMoving(record, each))

/** Returns whether users have a version that no longer moves, and that a person can still halt. */
export const isOffered = (record: StoreRecord, known: KnownVersion | null) =>
  known !== null && known.state === 'live' && isForUsers(known) && isListed(record, known)

function isVersionMoving(record: StoreRecord, { wanted, rollout, known }: VersionRecord): boolean {
  if (wanted?.status === 'underWay' || rollout?.status === 'underWay') return true
  if (known === null || known.state === 'unknown' || isOver(known.state)) return false
  if (!isListed(record, known)) return false
  if (isInReview(known.state) || known.state === 'pendingRelease') return true
  if (!isReleased(known.state)) return false
  const isComplete = known.rollout === null || known.rollout.state === 'complete'
  return known.state !== 'live' || !isComplete
}

/** Returns whether a version is over and has no open decision. */
export const isAtRest = ({ known, wanted, rollout }: VersionRecord) =>
  known !== null && isOver(known.state) && !isOpen(wanted) && !isOpen(rollout)

/**
 * Returns whether a version is for users, not on a track for testers. Form factors have their own
 * production track: `wear:production`.
 */
export const isForUsers = ({ track }: { track?: string | null }) =>
  !track || track === 'production' || track.endsWith(':production')
