import type { Instant } from '#foundation/core/clock'
import { isOpen, nextGeneration, versionIn } from './record.js'
import type { ObservedOutsideChange } from './observe.js'
import type { Question, Slot, StoreRecord, VersionRecord, Wanted, WantedRollout } from './record.js'
import type { Verdict } from './reconcile.js'
import { stops } from './states.js'

type New<Each> = Omit<Each, 'generation' | 'status' | 'reason'>

/** Records a decision about the stage of a version; it supersedes the one before. */
export function decideStage(record: StoreRecord, version: string, decision: New<Wanted>): number {
  const generation = nextGeneration(record)
  const found = versionIn(record, version)
  found.wanted = { ...decision, generation, status: 'underWay', reason: null }
  found.question = null
  // A submission or takeoff overrules an earlier stop of a version that is not out.
  if (decision.what !== 'withdrawn') found.rollout = null
  return generation
}

/** Records a decision about the rollout of a version; it supersedes the one before. */
export function decideRollout(
  record: StoreRecord,
  version: string,
  decision: New<WantedRollout>
): number {
  const generation = nextGeneration(record)
  const found = versionIn(record, version)
  found.rollout = { ...decision, generation, status: 'underWay', reason: null }
  found.question = null
  const { wanted } = found
  if (stops(decision.to) && isOpen(wanted) && wanted.what === 'released') {
    found.wanted = ended(wanted, generation, decision.at, 'It was stopped before it went out.')
  }
  return generation
}

/** Ends a takeoff that is not done; its call may be on its way to the store already. */
export function stopTakeoff(
  record: StoreRecord,
  version: string,
  at: Instant,
  reason: string
): void {
  const found = versionIn(record, version)
  const { wanted } = found
  if (!isOpen(wanted) || wanted.what !== 'released') return
  found.wanted = ended(wanted, nextGeneration(record), at, reason)
}

/** Ends open decisions that would move a version forward, as `stopTakeoff` does. */
export function stopProgress(
  record: StoreRecord,
  version: string,
  at: Instant,
  reason: string
): void {
  const found = versionIn(record, version)
  const { wanted, rollout } = found
  if (isOpen(wanted) && wanted.what !== 'withdrawn') {
    found.wanted = ended(wanted, nextGeneration(record), at, reason)
  }
  if (isOpen(rollout) && !stops(rollout.to)) {
    found.rollout = ended(rollout, nextGeneration(record), at, reason)
  }
}

const ended = <Each extends Wanted | WantedRollout>(
  decision: Each,
  generation: number,
  at: Instant,
  reason: string
): Each => ({ ...decision, generation, status: 'failed', reason, stoppedAt: at })

/**
 * Stores the verdict of `reconcile` in a decision.
 * @returns whether that is new
 */
export function takeVerdict(version: VersionRecord, verdict: Verdict, now: Instant): boolean {
  const { slot, status, reason, asks, isAway } = verdict
  const decision = version[slot]!
  if (decision.status === status && decision.reason === reason) return false
  Object.assign(decision, { status, reason })
  if (isAway) decision.isAway = true
  else delete decision.isAway
  const about = slot === 'rollout' ? slot : ABOUT[version.wanted!.what]
  if (status === 'failed' && asks) {
    decision.isAsked = true
    version.question = { about, message: reason!, since: now }
  } else if (status === 'done' && version.question?.about === about) {
    // A stop continues while people are asked; once it is done there is nothing to decide.
    delete decision.isAsked
    version.question = null
  }
  return true
}

const ABOUT: Record<Wanted['what'], Question['about']> = {
  submitted: 'submission',
  withdrawn: 'submission',
  released: 'release',
}

/** Removes a decision about a version without a new one. The generation still increases. */
export function removeDecision(record: StoreRecord, version: string, slot: Slot): void {
  nextGeneration(record)
  versionIn(record, version)[slot] = null
}

/** Records a change made outside of Tarmac as the standing decision. */
export function decideOutsideChange(
  record: StoreRecord,
  { version, wanted, rollout, at }: ObservedOutsideChange,
  by: Wanted['by']
): VersionRecord {
  const found = versionIn(record, version)
  const decided = { by, at, status: 'done', reason: null } as const
  if (wanted) {
    found.wanted = { what: wanted, generation: nextGeneration(record), ...decided }
    if (wanted !== 'withdrawn') found.rollout = null
  }
  if (rollout) {
    found.rollout = { to: rollout, saw: null, generation: nextGeneration(record), ...decided }
  }
  // The change may be the answer to an open question.
  found.question = null
  return found
}
