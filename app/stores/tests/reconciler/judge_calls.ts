import { momentAt } from '../../../../examples/hostile-store/src/core/index.js'
import { isServed } from './evidence.js'
import {
  isRollout,
  isStop,
  isStopCall,
  type Decided,
  type Flight,
  type Journal,
  type Observation,
} from './journal.js'
import type { Finding, Rule } from './finding.js'

const HOUR = 60 * 60_000

const finding = (rule: Rule, flight: Flight, what: string): Finding => ({
  rule,
  ...flight.begun,
  what: `${flight.key} (${flight.text}): ${what}`,
})

/** Rule: after a stop is decided, no share grows except by calls that began before. */
export function judgeGrowth(journal: Journal): Finding[] {
  const flights = new Map(journal.flights.map((each) => [each.key, each]))
  return journal.store.versions.flatMap((version) =>
    journal.store.history(version).flatMap(({ by, truth }, index, history) => {
      const flight = by.who === 'us' ? flights.get(by.key) : undefined
      if (!flight || flight.call.version !== version || !isServed(truth)) return []
      const before = index > 0 ? history[index - 1].truth : null
      const isResumed = before?.stopped === true && !truth.stopped
      if (isServed(before) && !isResumed && truth.share <= before!.share) return []
      const last = journal.decided.findLast(
        ({ order, generation, decision }) =>
          generation !== null &&
          order < flight.begun.order &&
          decision.version === version &&
          (isRollout(decision) || decision.what === 'release')
      )
      if (!last || !isStop(last.decision)) return []
      const what = `grew after ${last.decision.what} was decided`
      return [finding('no growth after a stop', flight, what)]
    })
  )
}

/** Rule: growth never restarts a review, nor does a repeated stop. */
export function judgeReviews(journal: Journal): Finding[] {
  return journal.flights.flatMap((flight) => {
    const { call, begun } = flight
    if (call.method !== 'setRollout' || call.onReviewInProgress === 'fail') return []
    if (!isStopCall(call)) return [finding('growth waits for reviews', flight, 'uses replace')]
    const since = stoppedSince(journal, flight)
    // A stop after growth was decided is not a repeated one.
    if (since === null || isGrownSince(journal, flight, since)) return []
    const isKnown =
      journal.observations.some(
        ({ order, beganAt, versions }) =>
          order < begun.order &&
          beganAt - journal.store.lagSeconds * 1000 >= since &&
          versions.some((each) => each.version === call.version)
      ) ||
      journal.flights.some(
        (other) =>
          other.call.version === call.version &&
          other.ended &&
          !other.ended.error &&
          other.ended.order < begun.order &&
          other.arrived !== undefined &&
          other.arrived.at >= since &&
          !isOvertaking(journal, other)
      )
    return isKnown
      ? [finding('a repeated stop restarts nothing', flight, 'it was stopped, and that was known')]
      : []
  })
}

/**
 * Returns whether growth was under way at the same time as a call, and may have reached the store
 * after it.
 */
const isOvertaking = ({ flights }: Journal, { key, call, begun, ended }: Flight) =>
  flights.some(
    (other) =>
      other.key !== key &&
      other.call.version === call.version &&
      !isStopCall(other.call) &&
      other.begun.order < ended!.order &&
      (other.ended?.order ?? Infinity) > begun.order
  )

const isGrownSince = ({ decided }: Journal, { call, begun }: Flight, since: number) =>
  decided.some(
    ({ order, at, generation, decision }) =>
      generation !== null &&
      decision.version === call.version &&
      ((isRollout(decision) && !isStop(decision)) || decision.what === 'release') &&
      at >= since &&
      order < begun.order
  )

/** Returns when a version was stopped that was stopped as a call began; null if it was running. */
function stoppedSince(journal: Journal, { key, call, begun }: Flight): number | null {
  // The call itself may have arrived in the same millisecond.
  const history = journal.store
    .history(call.version)
    .filter(({ by }) => by.who !== 'us' || by.key !== key)
  const earlier = history.filter(({ at }) => at <= begun.at)
  if (!earlier.at(-1)?.truth.stopped) return null
  return earlier[earlier.findLastIndex(({ truth }) => !truth.stopped) + 1].at
}

/** Rule: calls to one store run one after the other; only a stop overtakes them. */
export function judgeOverlaps(journal: Journal): Finding[] {
  let recent: Flight[] = []
  return journal.flights.flatMap((flight) => {
    const { begun, call } = flight
    const isUnderWay = (other: Flight) => {
      const mayArrive = !other.isDropped && (other.arrived?.order ?? Infinity) > begun.order
      const isAwaited = !other.isOrphan && (other.ended?.order ?? Infinity) > begun.order
      // Nothing arrives after the deadline.
      return (mayArrive && begun.at < other.deadline) || isAwaited
    }
    // A call that has ended is never under way again.
    const others = recent.filter(isUnderWay)
    recent = [...others, flight]
    const inTheWay = isStopCall(call)
      ? others.find(
          (other) =>
            isStopCall(other.call) &&
            other.call.version === call.version &&
            !other.isOrphan &&
            (other.ended?.order ?? Infinity) > begun.order
        )
      : others[0]
    return inTheWay
      ? [finding('calls follow each other', flight, `began while ${inTheWay.key} was under way`)]
      : []
  })
}

/**
 * Rule: a stop begins as soon as it is asked for, unless a read that began after the decision shows
 * it.
 */
export function judgeDelays(journal: Journal): Finding[] {
  return journal.decided.flatMap((stop) => {
    const { order, decision, generation, at } = stop
    if (generation === null || !isStop(decision)) return []
    const { version } = decision
    // Checks both the first request, and the first one after a read showed that the version goes
    // on.
    const read = journal.observations.find(
      (each) => each.order > order && each.beganAt > at && shows(each, version, 'running')
    )
    const isIdle = (after: number) =>
      journal.idle.find((each) => each.lane === 'stop' && each.order > after)
    const first = isIdle(order)
    const second = read && isIdle(read.order)
    const isWrong =
      first &&
      isLate(journal, stop, first) &&
      isActive(journal, version, at, first.at) &&
      !journal.observations.some(
        (each) => each.order > order && each.order < first.order && each.beganAt >= at
      )
    const isSecondWrong =
      second && isLate(journal, stop, second) && isActive(journal, version, read.at, second.at)
    const idle = isWrong ? first : isSecondWrong ? second : null
    if (!idle) return []
    const what = `${version}: ${decision.what} was decided, and no call for it began when one could`
    return [{ rule: 'a stop does not wait', order: idle.order, at: idle.at, what }]
  })
}

const shows = (
  { versions }: Observation,
  version: string,
  how: 'running' | 'stopped' | 'over' | 'whole'
) =>
  versions.some((each) => {
    if (each.version !== version) return false
    const { state } = each.status
    if (how === 'over') return state === 'replaced' || state === 'removed'
    if (how === 'whole') return state === 'live'
    const isHeld = each.rollout?.state === 'halted' || each.rollout?.state === 'paused'
    if (how === 'stopped') return isHeld
    return state === 'rolledOutPartially' && each.rollout?.state === 'active'
  })

/**
 * Returns whether no call for a stop began until the system was asked for one, without an excuse.
 */
function isLate(
  journal: Journal,
  { order, at, decision }: Decided,
  idle: { order: number; at: number }
): boolean {
  const { version } = decision
  if (idle.at > at + HOUR || isLockedOut(journal, idle.order)) return false
  const isBetween = (each: { order: number }) => each.order > order && each.order < idle.order
  const isCalled = journal.flights.some(
    ({ begun, ended, call }) =>
      (isStopCall(call) && (begun.order > order || (ended?.order ?? Infinity) > order)) ||
      // Backoff after an outage is right.
      (ended?.error && ended.order < idle.order && at - ended.at < HOUR) ||
      // The answer may show that nothing needs to be stopped any more.
      (call.version === version && ended && isBetween(ended))
  )
  return (
    !isCalled &&
    !journal.decided.some((each) => isBetween(each) && each.decision.version === version) &&
    !journal.observations.some(
      (each) => each.beganAt >= at && isBetween(each) && shows(each, version, 'stopped')
    ) &&
    // A version that is over cannot be stopped, nor at Apple one that all users have.
    !journal.observations.some(
      (each) =>
        each.order < idle.order &&
        each.at > at - journal.store.lagSeconds * 1000 &&
        (shows(each, version, 'over') ||
          (journal.store.kind === 'apple' && shows(each, version, 'whole')))
    )
  )
}

/** Returns whether the system last learned that its credentials are refused. */
function isLockedOut(journal: Journal, before: number): boolean {
  const refused = journal.flights.findLast(
    ({ ended }) => ended?.error?.code === 'unauthorized' && ended.order < before
  )
  const since = refused?.ended?.order
  return (
    since !== undefined && !journal.renewals.some(({ order }) => order > since && order < before)
  )
}

/** Returns whether a version was rolling out all the time, and the system had seen that. */
function isActive(journal: Journal, version: string, from: number, until: number): boolean {
  const history = journal.store.history(version)
  const before = momentAt(history, from - journal.store.lagSeconds * 1000)
  const isRolling = before?.truth.state === 'rolledOutPartially' && !before.truth.stopped
  if (!isRolling) return false
  const isChanging = history.some(
    ({ at, truth }) =>
      at > before.at && at <= until && (truth.stopped || truth.state !== 'rolledOutPartially')
  )
  if (isChanging) return false
  return journal.observations.some(
    (each) =>
      each.at <= from &&
      each.beganAt - journal.store.lagSeconds * 1000 >= before.at &&
      each.versions.some((shown) => shown.version === version)
  )
}
