import { momentAt, type Moment } from '../../../../examples/hostile-store/src/core/index.js'
import type { Finding } from './finding.js'
import type { Flight, Journal } from './journal.js'

/** A review that began again because of our call for another version. */
interface Restart {
  version: string
  at: number
  flight: Flight
}

/** Rule: exactly the restarted reviews are reported, with their cause. */
export function judgeRestarts(journal: Journal): Finding[] {
  const restarts = restartsOf(journal)
  return [...judgeReported(journal, restarts), ...judgeUnreported(journal, restarts)]
}

const isInReview = ({ truth }: Moment) => truth.state === 'inReview'

function restartsOf(journal: Journal): Restart[] {
  const flights = new Map(journal.flights.map((each) => [each.key, each]))
  return journal.store.versions.flatMap((version) =>
    journal.store.history(version).flatMap((moment, index, history) => {
      const flight = moment.by.who === 'us' ? flights.get(moment.by.key) : undefined
      if (!flight || flight.call.version === version || index === 0) return []
      const isAgain = isInReview(history[index - 1]) && isInReview(moment)
      return isAgain ? [{ version, at: moment.at, flight }] : []
    })
  )
}

function judgeReported(journal: Journal, restarts: readonly Restart[]): Finding[] {
  const remaining = [...restarts]
  return journal.said.flatMap(({ announcement, order, at }): Finding[] => {
    if (announcement.kind !== 'restarted') return []
    const { version, cause } = announcement
    const index = remaining.findIndex(
      (each) => each.version === version && each.flight.call.version === cause && each.at <= at
    )
    if (index >= 0) {
      remaining.splice(index, 1)
      return []
    }
    // A call with a lost answer may have done what the store shows.
    const isLost = journal.flights.some(
      ({ call, ended, isOrphan }) =>
        call.version === cause && (isOrphan || ended?.error?.detail.outcome === 'unknown')
    )
    if (isLost) return []
    const what = `${version} is said to be reviewed again for ${cause}, and is not`
    return [{ rule: 'announced is true', order, at, what }]
  })
}

/** Finds restarts that were certainly observed and not reported. */
function judgeUnreported(journal: Journal, restarts: readonly Restart[]): Finding[] {
  const lag = journal.store.lagSeconds * 1000
  return restarts.flatMap(({ version, at, flight }): Finding[] => {
    const { ended, begun, arrived, call } = flight
    if (!ended || ended.error || !arrived) return []
    // A plugin sends no stop of a rollout that is stopped when the call arrives.
    const isOther = ({ by }: Moment) => by.who !== 'us' || by.key !== flight.key
    const before = momentAt(journal.store.history(call.version).filter(isOther), arrived.at)
    if (before?.truth.stopped) return []
    const history = journal.store.history(version)
    const since = reviewedSince(history, at)
    const reads = journal.observations.filter(({ versions }) =>
      versions.some((each) => each.version === version)
    )
    const isKnown = reads.some((each) => each.order < begun.order && each.beganAt - lag >= since)
    const seen = reads.find(
      (each) =>
        each.order > ended.order && each.beganAt > ended.at + lag && each.beganAt - lag >= at
    )
    if (!isKnown || !seen || reviewedUntil(history, at) < seen.at) return []
    const isReported = journal.said.some(
      (each) =>
        each.announcement.kind === 'restarted' &&
        each.announcement.version === version &&
        each.order > begun.order
    )
    if (isReported) return []
    const what = `${version}: its review began again for ${call.version}, and nobody heard of it`
    return [{ rule: 'restarted reviews say so', order: seen.order, at: seen.at, what }]
  })
}

/** Returns since when a version was in review without a break at a time. */
function reviewedSince(history: readonly Moment[], at: number): number {
  const last = history.findLast((each) => each.at <= at && !isInReview(each))
  return history.find((each) => isInReview(each) && each.at >= (last?.at ?? -Infinity))!.at
}

const reviewedUntil = (history: readonly Moment[], at: number) =>
  history.find((each) => each.at > at && !isInReview(each))?.at ?? Infinity
