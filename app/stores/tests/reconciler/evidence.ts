import {
  momentAt,
  type Moment,
  type Truth,
} from '../../../../examples/hostile-store/src/core/index.js'
import type { Journal } from './journal.js'
import type { Decision } from './system.js'

/*
 * Compares the true state of the store with the system's possible knowledge and the decisions.
 */

/** Returns whether users get a version, or got it until it was stopped. */
export const isServed = (truth: Truth | null) =>
  truth !== null &&
  (truth.state === 'rolledOutPartially' || truth.state === 'halted' || truth.state === 'live')

/**
 * Returns every state of a version that held within a span of time. In the first millisecond, the
 * state before a change by others counts: a call that changed nothing may have arrived before it.
 */
export function heldIn(journal: Journal, version: string, from: number, until: number): Moment[] {
  const history = journal.store.history(version)
  const isByUs = history.some(({ at, by }) => at === from && by.who === 'us')
  const first = momentAt(history, isByUs ? from : from - 1)
  return history.filter((each) => each === first || (each.at >= from && each.at <= until))
}

/**
 * Returns the earliest time that the newest knowledge of a version may be from: the lag before the
 * newest list that showed it, or the time of an answered call. Null if the system was never shown
 * the version.
 */
export function knownSince(journal: Journal, version: string, before: number): number | null {
  let newest: number | null = null
  const lag = journal.store.lagSeconds * 1000
  for (const { order, beganAt, versions } of journal.observations) {
    if (order > before) break
    if (!versions.some((each) => each.version === version)) continue
    newest = Math.max(newest ?? -Infinity, beganAt - lag)
  }
  for (const { call, ended, arrived } of journal.flights) {
    if (!ended || ended.error || !arrived || ended.order > before) continue
    if (call.version === version) newest = Math.max(newest ?? -Infinity, arrived.at)
  }
  return newest
}

/**
 * Returns who brought a version to its state at a moment. Reviews that begin again do not count as
 * changes.
 */
export function authorAt(history: readonly Moment[], moment: Moment): Moment['by'] {
  let index = history.indexOf(moment)
  while (index > 0 && history[index].by.who === 'us' && isAlike(history[index - 1], history[index]))
    index -= 1
  return history[index].by
}

const isAlike = ({ truth: one }: Moment, { truth: other }: Moment) =>
  one.state === other.state &&
  one.share === other.share &&
  one.rollout?.state === other.rollout?.state

const REVIEWED = [
  'waitingForReview',
  'inReview',
  'rejected',
  'metadataRejected',
  'invalidBinary',
  'pendingRelease',
  'processing',
]

/** Returns whether a version is in the state that was decided. */
export function isWhereWanted(decision: Decision, truth: Truth | null): boolean {
  const state = truth?.state ?? 'none'
  switch (decision.what) {
    case 'submit':
      return (
        truth !== null &&
        truth.build === decision.buildNumber &&
        (isServed(truth) || (REVIEWED.includes(state) && truth.planned === decision.fraction))
      )
    case 'withdraw':
      return (
        ['none', 'preparing', 'developerRejected', 'rejected', 'metadataRejected'].includes(
          state
        ) ||
        (state === 'readyForReview' && truth?.waitsForSending === false)
      )
    case 'release':
      return state === 'processing' || isServed(truth)
    case 'pause':
    case 'halt':
      return !isServed(truth) || truth?.stopped === true
    case 'resume':
      return isServed(truth) && truth?.stopped === false
    case 'complete':
      return isServed(truth) && truth?.stopped === false && truth.share === 1
    case 'set':
      return (
        isServed(truth) &&
        truth?.stopped === false &&
        Math.abs(truth.share - decision.percentage / 100) < 1e-6
      )
    case 'close':
    case 'stopTakeoff':
      return true
  }
}
