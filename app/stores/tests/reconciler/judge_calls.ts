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

/** No share grows after a stop was decided, beyond calls that began before. */
export function judgeGrowth(journal: Journal): Finding[] {
  const flights = new Map(journal.flights.map((each) => [each.key, each]))
  return journal.store.versions.flatMap((version) =>
    journal.store.history(version).flatMap(({ by, truth }, index, history) => {
      const flight = by.who === 'us' ? flights.get(by.key) : undefined
      if (!flight || flight.call.version !== version || !isServed(truth)) return []
      const before = index > 0 ? history[index - 1].truth : null
      const isHeldNoMore = before?.stopped === true && !truth.stopped
      if (isServed(before) && !isHeldNoMore && truth.share <= before!.share) return []
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

/** Growth never restarts a review, and neither does a stop that is repeated. */
export function judgeReviews(journal: Journal): Finding[] {
  return journal.flights.flatMap((flight) => {
    const { call, begun } = flight
    if (call.method !== 'setRollout' || call.onReviewInProgress === 'fail') return []
    if (!isStopCall(call)) return [finding('growth waits for reviews', flight, 'uses replace')]
    const since = stoppedSince(journal, flight)
    // A stop after growth was decided is none that is repeated.
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

/** Returns whether growth was under way beside a call, and may have reached the store after it. */
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

/** The beginning of a version's stop that held as a call began; null if it ran. */
function stoppedSince(journal: Journal, { key, call, begun }: Flight): number | null {
  // The call itself may have arrived in the same millisecond.
  const history = journal.store
    .history(call.version)
    .filter(({ by }) => by.who !== 'us' || by.key !== key)
  const now = momentAt(history, begun.at)
  if (!now?.truth.stopped) return null
  const wasRunning = history.findLast((each) => each.at <= begun.at && !each.truth.stopped)
  return history.find(({ at, truth }) => truth.stopped && (!wasRunning || at >= wasRunning.at))!.at
}

/** Calls to one store follow each other; a stop overtakes them. */
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
 * A stop does not wait: it begins when it is asked for, unless a read that began after it was
 * decided shows it.
 */
export function judgeDelays(journal: Journal): Finding[] {
  return journal.decided.flatMap((stop) => {
    const { order, decision, generation, at } = stop
    if (generation === null || !isStop(decision)) return []
    const { version } = decision
    // Asked at once, and once a read has shown that the version goes on.
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
    const idle = isWrong ? first : second && isLate(journal, stop, second) ? second : null
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

/** No call for a stop began until it was asked for, and nothing excuses that. */
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
      // Backing off from an outage is right.
      (ended?.error && ended.order < idle.order && at - ended.at < HOUR) ||
      // Its answer may show that nothing is to be stopped any more.
      (call.version === version && ended && isBetween(ended))
  )
  return (
    !isCalled &&
    !journal.decided.some((each) => isBetween(each) && each.decision.version === version) &&
    !journal.observations.some(
      (each) => each.beganAt >= at && isBetween(each) && shows(each, version, 'stopped')
    ) &&
    // Nothing of what is over is left to be stopped, nor at Apple of what all users have.
    !journal.observations.some(
      (each) =>
        each.order < idle.order &&
        each.at > at - journal.store.lagSeconds * 1000 &&
        (shows(each, version, 'over') ||
          (journal.store.kind === 'apple' && shows(each, version, 'whole')))
    )
  )
}

/** The last that was heard of the credentials is that they are not known. */
function isLockedOut(journal: Journal, before: number): boolean {
  const refused = journal.flights.findLast(
    ({ ended }) => ended?.error?.code === 'unauthorized' && ended.order < before
  )
  const since = refused?.ended?.order
  return (
    since !== undefined && !journal.renewals.some(({ order }) => order > since && order < before)
  )
}

/** A version grew, or could grow, all the time, and the system had been shown that it does. */
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
