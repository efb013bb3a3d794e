import type { Instant } from '#foundation/core/clock'
import {
  draftAt,
  predictedTrains,
  slots,
  type PredictedTrain,
  type ScheduleFacts,
  type Slot,
} from './schedule.js'

/** The next decision about the first undecided train, and its time. */
export type Decision = { at: Instant; slot: Slot } & (
  | { what: 'draft'; train: PredictedTrain }
  | { what: 'leaveOut'; reason: NonNullable<Slot['leftOut']> | 'passed' | 'versions' }
)

/**
 * Returns the next decision. A train is drafted some weeks before its kickoff; one whose kickoff
 * passed undecided is left out, because it cannot leave any more.
 */
export function nextDecision(facts: ScheduleFacts, now: Instant): Decision {
  const [slot] = slots(facts)
  const at = draftAt(facts.cadence, slot)
  const leave = (reason: Extract<Decision, { what: 'leaveOut' }>['reason']): Decision => ({
    at,
    slot,
    what: 'leaveOut',
    reason,
  })
  if (slot.leftOut !== null) return leave(slot.leftOut)
  if (slot.dates.kickoffAt < now) return leave('passed')
  const [train] = predictedTrains(facts, slot.dates.kickoffAt)
  return train ? { at, slot, what: 'draft', train } : leave('versions')
}
