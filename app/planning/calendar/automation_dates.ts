import { DAY, MINUTE } from '#foundation/core/durations'
import type { Instant } from '#foundation/core/clock'
import type { Run } from '../tables.js'
import { freezesAt, thawedFrom, type Freeze, type Phase } from './freezes.js'

/** The facts that decide when an automation acts on a target date. */
export interface AutomationDateFacts {
  phase: Phase
  target: Instant | null
  /** It is switched on, and its phase is still to come. */
  isOn: boolean
  /** Another release of the train is active: a kickoff waits until that one is over. */
  isBehind: boolean
  freezes: readonly Freeze[]
  runAfterFreeze: boolean
  /** Its earlier run for the target date. */
  run: Run | null
  /** The planned time of its last run; null for none. */
  planned: Instant | null
}

/**
 * Returns when an automation has to evaluate its release; null for never. It acts only on dates
 * that were ahead when it was switched on, the release was made, or the date was set.
 */
export function actsAt(facts: AutomationDateFacts, now: Instant): Instant | null {
  const { target, isOn, run, planned } = facts
  if (!isOn || target === null) return null
  const known = run?.target === target ? run : null
  if (known && (known.at !== null || known.isUnderWay)) return null
  if (known === null) return target > now || planned === target ? target : null
  // No timer ends this wait: the automation is evaluated again when the train moves on.
  if (known.heldBy === 'train' && facts.isBehind) return null
  // A time that has come stays: lateness counts from it.
  if (planned !== null && planned <= now) return planned
  if (known.heldBy === 'train') return now
  return thawedFrom(facts.freezes, facts.phase, now)
}

/**
 * Returns whether a run of an automation is still relevant. A run that was held back is not, once
 * the automation was switched off or its date moved.
 */
export function isKept(run: Run, target: Instant | null, isOn: boolean): boolean {
  return run.at !== null || (isOn && run.target === target)
}

/** Longest that an automation acts after its time, in milliseconds. */
const MAX_LATE = DAY

type Verdict =
  | { what: 'nothing' }
  | { what: 'act' }
  /** A freeze holds it back: it is evaluated again when the freeze ends. */
  | { what: 'hold'; until: Instant }
  /** It waits for the train. */
  | { what: 'wait' }
  | { what: 'drop'; reason: 'paused' | 'frozen' | 'missed' }

/**
 * Returns the action of a due automation. While automations are paused, it drops the date for good.
 * A freeze delays it, or makes it drop the date. It also drops a date that passed more than a day
 * ago, for example in an outage, since nobody counts on it any more. A kickoff waits while another
 * release of the train is active, however long that takes.
 */
export function judge(facts: AutomationDateFacts, isPaused: boolean, now: Instant): Verdict {
  const at = actsAt(facts, now)
  if (at === null || at > now) return { what: 'nothing' }
  const { phase, freezes, run, target, runAfterFreeze } = facts
  const isFrozen = freezesAt(freezes, phase, now).length > 0
  const isHeld = run?.target === target && run.heldSince !== null && run.heldBy !== 'train'
  const hold = () => ({ what: 'hold', until: thawedFrom(freezes, phase, now) }) as const
  // A freeze that was extended after it had held the run keeps holding it.
  if (isFrozen && isHeld) return hold()
  if (isPaused) return { what: 'drop', reason: 'paused' }
  // The present setting also decides about a run that a freeze held back until now.
  if ((isFrozen || isHeld) && !runAfterFreeze) return { what: 'drop', reason: 'frozen' }
  if (isFrozen) return hold()
  if (Date.parse(now) - Date.parse(at) > MAX_LATE) return { what: 'drop', reason: 'missed' }
  if (facts.isBehind) return { what: 'wait' }
  return { what: 'act' }
}

/** Longest after its date, in milliseconds, that a reminder at the date itself is sent. */
const AT_DATE = 15 * MINUTE

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
  // A reminder at the date itself is sent a moment after it.
  const isWithDate = leadTimeMinutes === 0 && planned === target && late <= AT_DATE
  if (late >= 0 && !isWithDate) return null
  const at = new Date(Date.parse(target) - leadTimeMinutes * MINUTE).toISOString()
  if (reminded?.target !== target) return at
  // After a change of the lead time, a date is reminded of again only if the new time lies ahead.
  return reminded.leadTimeMinutes !== leadTimeMinutes && at > now ? at : null
}
