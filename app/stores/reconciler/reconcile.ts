import { later, type Instant } from '#foundation/core/clock'
import { SECOND } from '#foundation/core/durations'
import { mustReportFailure, wasUnavailable, nextPollAfterFailure } from './attempts.js'
import { answerInWords } from './answer_words.js'
import { arrivesBy, canArrive } from './calls.js'
import {
  isOpen,
  type CallRecord,
  type Lane,
  type Slot,
  type StoreCall,
  type StoreRecord,
  type VersionRecord,
  type Wanted,
  type WantedRollout,
} from './record.js'
import { rolloutStep } from './rollout_step.js'
import { stageStep } from './stage_step.js'
import { isRunning, stops } from './states.js'
import type { Step } from './step.js'

/** Minimum interval between two reads for decisions, in milliseconds. */
const MIN_POLL_INTERVAL = 30 * SECOND

/** The current state of a decision. */
export interface Verdict {
  version: string
  slot: Slot
  generation: number
  status: 'underWay' | 'done' | 'failed'
  reason: string | null
  /** True if it failed because the store was unavailable. */
  isAway?: boolean
  /** True if a person has to resolve it, with another decision or in the console. */
  asks: boolean
}

/** The next move in one lane. */
export type Next =
  | {
      do: 'call'
      call: StoreCall
      slot: Slot
      generation: number
      attempt: number
      idempotencyKey: string
    }
  | { do: 'poll' }
  /** Null if only an observation or a decision can change anything. */
  | { do: 'wait'; until: Instant | null }

export interface Reconciled {
  verdicts: Verdict[]
  lanes: Record<Lane, Next>
}

interface DecisionStep {
  version: VersionRecord
  slot: Slot
  generation: number
  lane: Lane
  step: Step
}

/**
 * Compares the decisions, calls and observations of a store, and returns a verdict on each decision
 * and what comes next: a call, a poll, or a wait. This is the only place that decides whether a
 * decision is fulfilled.
 */
export function reconcile(record: StoreRecord, now: Instant): Reconciled {
  const all = record.versions
    .flatMap((version) => stepsOf(record, version, now))
    .sort((one, other) => one.generation - other.generation)
  return {
    verdicts: all.map((each) => verdictOf(record, each)),
    lanes: {
      stop: nextInLane('stop', record, all, now),
      usual: nextInLane('usual', record, all, now),
    },
  }
}

function stepsOf(record: StoreRecord, version: VersionRecord, now: Instant): DecisionStep[] {
  const { wanted, rollout } = version
  const steps: DecisionStep[] = []
  if (isInProgress(wanted)) {
    const step = stageStep(record, version, wanted, now)
    const { generation } = wanted
    steps.push({ version, slot: 'wanted', generation, lane: 'usual', step })
  }
  if (rollout && (stops(rollout.to) ? mustStop(version, rollout) : isInProgress(rollout))) {
    const { generation, to } = rollout
    const step = rolloutStep(record, version, rollout, now)
    const lane = stops(to) ? 'stop' : 'usual'
    steps.push({ version, slot: 'rollout', generation, lane, step })
  }
  return steps
}

/**
 * Returns whether to continue with a decision: it is open, and no question to people is pending.
 */
const isInProgress = <Each extends Wanted | WantedRollout>(
  decision: Each | null
): decision is Each => isOpen(decision) && !decision.isAsked

/**
 * Returns whether to apply a stop, even while a question is pending. A completed stop is applied
 * again if the store serves the version again, as Google Play does when a later version that all
 * users had is halted.
 */
const mustStop = ({ known }: VersionRecord, stop: WantedRollout) =>
  isOpen(stop) || (known !== null && isRunning(known))

function verdictOf(
  record: StoreRecord,
  { version, slot, generation, lane, step }: DecisionStep
): Verdict {
  const verdict = { version: version.version, slot, generation, asks: false }
  switch (step.kind) {
    case 'fulfilled':
      return { ...verdict, status: 'done', reason: null }
    case 'failed':
      return { ...verdict, status: 'failed', reason: step.reason, isAway: step.isAway }
    case 'asking':
      return { ...verdict, status: 'failed', reason: step.message, asks: true }
    case 'inConsole':
      return { ...verdict, status: 'underWay', reason: step.message, asks: true }
    case 'call':
      return { ...verdict, status: 'underWay', reason: null }
    case 'poll': {
      // Polling continues, and the decision resumes once a poll succeeds. A failed poll never fails
      // a stop.
      const failure = record.pollFailure
      const isFailed = failure !== null && lane === 'usual' && mustReportFailure(failure, record)
      return {
        ...verdict,
        status: isFailed ? 'failed' : 'underWay',
        reason: failure === null ? step.reason : answerInWords(failure),
        isAway: isFailed && wasUnavailable(failure),
      }
    }
    default:
      return { ...verdict, status: 'underWay', reason: step.reason }
  }
}

/**
 * Returns the next move of a lane. Usual calls run one after the other; a stop waits for none of
 * them.
 */
function nextInLane(
  lane: Lane,
  record: StoreRecord,
  all: readonly DecisionStep[],
  now: Instant
): Next {
  const own = all.filter((each) => each.lane === lane)
  const times: Instant[] = []
  let isPollDue = false
  for (const { slot, generation, step } of own) {
    switch (step.kind) {
      case 'call': {
        const { call, attempt, idempotencyKey } = step.attempt
        const until = callBlockedUntil(lane, record, now)
        if (until === null) return { do: 'call', call, slot, generation, attempt, idempotencyKey }
        times.push(until)
        break
      }
      case 'poll': {
        const from = nextPoll(record, lane, step.from)
        if (from <= now) isPollDue = true
        times.push(from)
        break
      }
      case 'waiting':
        times.push(step.until)
        break
    }
  }
  // A read for one decision does not delay a call for another.
  return isPollDue ? { do: 'poll' } : { do: 'wait', until: times.sort()[0] ?? null }
}

/** Returns when to poll next. Reads that began before `from` do not count. */
function nextPoll(record: StoreRecord, lane: Lane, from: Instant): Instant {
  const { polledAt, pollFailure } = record
  if (pollFailure !== null) {
    const again = nextPollAfterFailure(pollFailure, record, lane)
    return again > from ? again : from
  }
  if (polledAt === null || polledAt < from) return from
  return later(polledAt, MIN_POLL_INTERVAL)
}

/** Returns until when other calls block a call in a lane; null if none does. */
function callBlockedUntil(lane: Lane, record: StoreRecord, now: Instant): Instant | null {
  const mustFinishFirst = (each: CallRecord) =>
    canArrive(record, each, now) &&
    (lane === 'usual' || (each.lane === 'stop' && each.endedAt === null && now <= each.deadline))
  const ahead = record.calls.filter(mustFinishFirst)
  if (ahead.length === 0) return null
  return ahead
    .map((each) => later(lane === 'stop' ? each.deadline : arrivesBy(record, each), 1))
    .sort()
    .at(-1)!
}
