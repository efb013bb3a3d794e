import type { Instant } from '#foundation/core/clock'
import { HOUR } from '#foundation/core/durations'
import { attemptAt, WAITS_FOR_REVIEW, type DecisionContext, type Due } from './attempts.js'
import { provesFrom } from './calls.js'
import type { StoreCall, StoreRecord } from './record.js'

/** The next step of a version's decision. */
export type Step =
  /** An observation shows it that cannot be older than our last call. */
  | { kind: 'fulfilled' }
  | { kind: 'call'; attempt: Due }
  /** Only an observation that begins then or later can tell more. */
  | { kind: 'poll'; from: Instant; reason: string | null }
  | { kind: 'waiting'; until: Instant; reason: string | null }
  /** It waits for the store to change; the decision stands. */
  | { kind: 'blocked'; reason: string }
  /** `isAway`: the store did not answer in time; it refused nothing. */
  | { kind: 'failed'; reason: string; isAway?: boolean }
  /** Store and decision contradict each other: a person decides. */
  | { kind: 'asking'; message: string }
  /** The store waits for a person to act in its console. */
  | { kind: 'inConsole'; message: string }

/** Returns the step of a decision that needs a call. */
export function callStep(
  record: StoreRecord,
  decision: DecisionContext,
  call: StoreCall,
  now: Instant
): Step {
  const attempt = attemptAt(record, decision, call, now)
  switch (attempt.kind) {
    case 'due':
      return { kind: 'call', attempt }
    case 'waiting':
      return attempt
    case 'unread':
      return { ...attempt, kind: 'poll' }
    case 'refused':
      return attempt.isReview && !attempt.isFinal
        ? { kind: 'blocked', reason: WAITS_FOR_REVIEW[record.type] }
        : { kind: 'failed', reason: attempt.reason, isAway: attempt.isAway }
    case 'applied':
      return { kind: 'poll', from: provesFrom(record, call.version) ?? now, reason: null }
  }
}

/** The longest that a store may take to show what it has confirmed, in milliseconds. */
export const MAX_PENDING = HOUR

/** The step that waits for a person to send changes for review in the console. */
export const SEND_FOR_REVIEW: Step = {
  kind: 'inConsole',
  message:
    'Google Play does not send changes of this app automatically. Open the Publishing overview in the Play Console and press Send for review.',
}

/**
 * The step that waits for a person to publish a version that managed publishing holds, which no
 * call can do.
 */
export const PUBLISH: Step = {
  kind: 'inConsole',
  message:
    'Google Play holds what it approved: managed publishing is on. Open the Publishing overview in the Play Console and press Publish changes.',
}
