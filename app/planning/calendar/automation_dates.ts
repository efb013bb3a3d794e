import { DAY, MINUTE } from '#foundation/core/durations'
import type { Instant } from '#foundation/core/clock'
import type { Run } from '../tables.js'
import { freezesAt, thawedFrom, type Freeze, type Phase } from './freezes.js'

/** The facts that determine when an automation acts on a target date. */
export interface AutomationDateFacts {
  phase: Phase
  target: Instant | null
  /** True if it is switched on and its phase is still to come. */
  isOn: boolean
  /** True if another release of the train is active; a kickoff waits until that one is over. */
  isBehind: boolean
  freezes: readonly Freeze[]
  runAfterFreeze: boolean
  /** Its last run; null if it never ran. */
  run: Run | null
  /** The planned time of its last run; null for none. */
  planned: Instant | null
}

/**
 * Returns when an automation has to evaluate its release; null for never. It acts only on dates that
 * lay ahead when it was switched on, the release was created, or the date was set.
 */
export function actsAt(facts: AutomationDateFacts, now: Instant): Instant | null {
  const { target, isOn, run, planned } = facts
  if (!isOn || target === null) return null
  const known = run?.target === target ? run : null
  if (known && (known.at !== null || known.isUnderWay)) return null
  if (known === null) return target > now || planned === target ? target : null
  // No timer ends this wait: the train triggers the next evaluation when it moves on.
  if (known.heldBy === 'train' && facts.isBehind) return null
  // A planned time that has passed does not change: the delay counts from it.
  if (planned !== null && planned <= now) return planned
  if (known.heldBy === 'train') return now
  return thawedFrom(facts.freezes, facts.phase, now)
}

/**
 * Returns whether a run of an automation is still relevant. A held run becomes stale when the
 * automation is switched off or its date moves.
 */
export function isKept(run: Run, target: Instant | null, isOn: boolean): boolean {
  return run.at !== null || (isOn && run.target === target)
}

/** Maximum delay with which an automation still acts, in milliseconds. */
const MAX_DELAY = DAY

type Verdict =
  | { what: 'nothing' }
  | { what: 'act' }
  /** A freeze holds it. It is evaluated again when the freeze ends. */
  | { what: 'hold'; until: Instant }
  /** It waits for the train. */
  | { what: 'wait' }
  | { what: 'drop'; reason: 'paused' | 'frozen' | 'missed' }

/**
 * Returns the action of a due automation. While automations are paused, it skips the date. A freeze
 * delays it, or makes it skip the date. It also skips a date that passed more than a day ago, for
 * example in an outage, because nobody expects it any more. A kickoff waits without a limit while
 * another release of the train is active.
 */
export function judge(facts: AutomationDateFacts, isPaused: boolean, now: Instant): Verdict {
  const at = actsAt(facts, now)
  if (at === null || at > now) return { what: 'nothing' }
  const { phase, freezes, run, target, runAfterFreeze } = facts
  const isFrozen = freezesAt(freezes, phase, now).length > 0
  const isHeld = run?.target === target && run.heldSince !== null && run.heldBy !== 'train'
  const hold = () => ({ what: 'hold', until: thawedFrom(freezes, phase, now) }) as const
  // An extended freeze keeps holding a run that it already holds.
  if (isFrozen && isHeld) return hold()
  if (isPaused) return { what: 'drop', reason: 'paused' }
  // The current setting also applies to a run that a freeze has held until now.
  if ((isFrozen || isHeld) && !runAfterFreeze) return { what: 'drop', reason: 'frozen' }
  if (isFrozen) return hold()
  if (Date.parse(now) - Date.parse(at) > MAX_DELAY) return { what: 'drop', reason: 'missed' }
  if (facts.isBehind) return { what: 'wait' }
  return { what: 'act' }
}

/** Maximum delay of a reminder without a lead time, in milliseconds. */
const MAX_REMINDER_DELAY = 15 * MINUTE

/** Returns when a reminder of a target date is sent; null for never. */
export function reminderAt(
  facts: {
    target: Instant | null
    isOn: boolean
    leadTimeMinutes: number
    reminded: { target: Instant; leadTimeMinutes: number } | null
    /** The planned time of the last one; null for none. */
    planned: Instant | null
  },
  now: Instant
): Instant | null {
  const { target, isOn, leadTimeMinutes, reminded, planned } = facts
  if (!isOn || target === null) return null
  const late = Date.parse(now) - Date.parse(target)
  // A reminder without a lead time is sent a moment after the date.
  const isWithDate = leadTimeMinutes === 0 && planned === target && late <= MAX_REMINDER_DELAY
  if (late >= 0 && !isWithDate) return null
  const at = new Date(Date.parse(target) - leadTimeMinutes * MINUTE).toISOString()
  if (reminded?.target !== target) return at
  // After a change of the lead time, another reminder is sent only if its time lies ahead.
  return reminded.leadTimeMinutes !== leadTimeMinutes && at > now ? at : null
}
