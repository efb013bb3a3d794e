import { isStopCall, type Flight, type Journal } from './journal.js'
import type { Finding } from './finding.js'
import type { Decision } from './system.js'

/** Returns whether a call brings a version closer to a submission, or to users. */
const isFurther = ({ call }: Flight) => call.method !== 'cancelReview' && !isStopCall(call)

/** Rule: after an end, no call begins that moves the version forward, until a new decision. */
export function judgeEnded(journal: Journal): Finding[] {
  return journal.decided.flatMap((end) => {
    const { decision, order, generation } = end
    const { what, version } = decision
    if (generation === null || (what !== 'close' && what !== 'stopTakeoff')) return []
    const next = journal.decided.find(
      (each) =>
        each.order > order &&
        each.generation !== null &&
        each.decision.version === version &&
        (what === 'close' || each.decision.what === 'release')
    )
    const wrong = journal.flights.find(
      (flight) =>
        flight.call.version === version &&
        flight.begun.order > order &&
        flight.begun.order < (next?.order ?? Infinity) &&
        (what === 'close' ? isFurther(flight) : flight.call.method === 'release')
    )
    if (!wrong) return []
    const said = `${wrong.key} (${wrong.text}): began after ${what} was decided`
    return [{ rule: 'nothing goes on after its end', ...wrong.begun, what: said }]
  })
}

const STAGES: readonly Decision['what'][] = ['submit', 'release', 'withdraw']
const ROLLOUTS: readonly Decision['what'][] = ['set', 'resume', 'complete', 'halt', 'pause']

/**
 * Rule: in a freeze, no call begins for a stage or growth that a policy decided, nor for a decision
 * that was taken back.
 */
export function judgeFreezes(journal: Journal): Finding[] {
  const isFrozen = (order: number) =>
    journal.freezes.findLast((each) => each.order < order)?.isFrozen ?? false
  const calls = journal.flights.flatMap((flight): Finding[] => {
    const { call, begun, key, text } = flight
    if (!isFurther(flight)) return []
    const words = call.method === 'setRollout' ? ROLLOUTS : STAGES
    const decided = journal.decided.findLast(
      ({ order, generation, decision }) =>
        order < begun.order &&
        generation !== null &&
        decision.version === call.version &&
        words.includes(decision.what)
    )
    const isTakenBack = journal.said.some(
      ({ announcement, order }) =>
        announcement.kind === 'heldBack' &&
        announcement.generation === decided?.generation &&
        order < begun.order
    )
    if (!isTakenBack && !(isFrozen(begun.order) && decided?.decision.by === 'policy')) return []
    const what = `${key} (${text}): ${isTakenBack ? 'was taken back' : 'began in a freeze'}`
    return [{ rule: 'a freeze holds automations', ...begun, what }]
  })
  const words = journal.said.flatMap(({ announcement, order, at }): Finding[] => {
    if (announcement.kind !== 'heldBack' || isFrozen(order)) return []
    const what = `${announcement.version} is said to be held back, and nothing is frozen`
    return [{ rule: 'announced is true', order, at, what }]
  })
  return [...calls, ...words]
}
