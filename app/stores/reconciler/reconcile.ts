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

/** The shortest time between two reads for decisions, in milliseconds. */
const POLL_EVERY = 30 * SECOND

/** The current state of a decision. */
export interface Verdict {
  version: string
  slot: Slot
  generation: number
  is: 'underWay' | 'done' | 'failed'
  reason: string | null
  /** It failed because the store did not answer. */
  isAway?: boolean
  /** A person has to resolve it by another decision, or in the console. */
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

interface Deciding {
  version: VersionRecord
  slot: Slot
  generation: number
  lane: Lane
  step: Step
}

/**
 * Compares the decisions, calls and observations of a store, and returns a verdict on each decision
 * and what comes next: a call, a poll, or a wait. This is the only place that decides whether a
 * decision is fulfilled. Pure.
 */
export function reconcile(record: StoreRecord, now: Instant): Reconciled {
  const all = record.versions
    .flatMap((version) => stepsOf(record, version, now))
    .sort((one, other) => one.generation - other.generation)
  return {
    verdicts: all.map((each) => verdictOf(record, each)),
    lanes: { stop: nextOf('stop', record, all, now), usual: nextOf('usual', record, all, now) },
  }
}

function stepsOf(record: StoreRecord, version: VersionRecord, now: Instant): Deciding[] {
  const { wanted, rollout } = version
  const steps: Deciding[] = []
  if (isCarriedOn(wanted)) {
    const step = stageStep(record, version, wanted, now)
    const { generation } = wanted
    steps.push({ version, slot: 'wanted', generation, lane: 'usual', step })
  }
  if (rollout && (stops(rollout.to) ? mustStop(version, rollout) : isCarriedOn(rollout))) {
    const { generation, to } = rollout
    const step = rolloutStep(record, version, rollout, now)
    const lane = stops(to) ? 'stop' : 'usual'
    steps.push({ version, slot: 'rollout', generation, lane, step })
  }
  return steps
}

/** Returns whether to go on with a decision: it is open, and no question to people is pending. */
const isCarriedOn = <Each extends Wanted | WantedRollout>(
  decision: Each | null
): decision is Each => isOpen(decision) && !decision.isAsked

/**
 * Returns whether a stop is to be carried out, even while a question is pending. A done stop counts
 * again if the store serves the version anew, as Google Play does when a later version that all
 * users had is halted.
 */
const mustStop = ({ known }: VersionRecord, stop: WantedRollout) =>
  isOpen(stop) || (known !== null && isRunning(known))

function verdictOf(
  record: StoreRecord,
  { version, slot, generation, lane, step }: Deciding
): Verdict {
  const verdict = { version: version.version, slot, generation, asks: false }
  switch (step.is) {
    case 'fulfilled':
      return { ...verdict, is: 'done', reason: null }
    case 'failed':
      return { ...verdict, is: 'failed', reason: step.reason, isAway: step.isAway }
    case 'asking':
      return { ...verdict, is: 'failed', reason: step.message, asks: true }
    case 'inConsole':
      return { ...verdict, is: 'underWay', reason: step.message, asks: true }
    case 'call':
      return { ...verdict, is: 'underWay', reason: null }
    case 'poll': {
      // Polling continues, and so does the decision once a poll succeeds. A stop never fails for
      // this.
      const failure = record.pollFailure
      const isFailed = failure !== null && lane === 'usual' && mustReportFailure(failure, record)
      return {
        ...verdict,
        is: isFailed ? 'failed' : 'underWay',
        reason: failure === null ? step.reason : answerInWords(failure),
        isAway: isFailed && wasUnavailable(failure),
      }
    }
    default:
      return { ...verdict, is: 'underWay', reason: step.reason }
  }
}

/**
 * Returns the next move of a lane. Usual calls run one after the other; a stop waits for none of
 * them.
 */
function nextOf(lane: Lane, record: StoreRecord, all: readonly Deciding[], now: Instant): Next {
  const own = all.filter((each) => each.lane === lane)
  const times: Instant[] = []
  let isPollDue = false
  for (const { slot, generation, step } of own) {
    switch (step.is) {
      case 'call': {
        const { call, attempt, idempotencyKey } = step.attempt
        const until = callableFrom(lane, record, now)
        if (until === null) return { do: 'call', call, slot, generation, attempt, idempotencyKey }
        times.push(until)
        break
      }
      case 'poll': {
        const from = pollsFrom(record, lane, step.from)
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

/** Returns when to poll next: reads that began before `from` do not count. */
function pollsFrom(record: StoreRecord, lane: Lane, from: Instant): Instant {
  const { polledAt, pollFailure } = record
  if (pollFailure !== null) {
    const again = nextPollAfterFailure(pollFailure, record, lane)
    return again > from ? again : from
  }
  if (polledAt === null || polledAt < from) return from
  return later(polledAt, POLL_EVERY)
}

/** Returns the time from which a call may be made; null for now. */
function callableFrom(lane: Lane, record: StoreRecord, now: Instant): Instant | null {
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
