import type { Instant } from '#foundation/core/clock'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type { Assessment } from './assessment.js'
import { holderOf, targetOf, type Condition, type ConditionCode, type Who } from './conditions.js'
import type { ReleaseFacts, ScheduledAction, StepFacts } from './facts.js'
import { assessSteps, statusesOf } from './evaluate.js'
import { distinct, releaseConditions, type HeldOutside } from './why_not_moving.js'

/** The thing a release waits for, and who can move it. */
export interface Hold {
  /** Null if it is no step, such as a commit to be picked, a freeze or another release. */
  step: { stepConfigId: string; name: string; type: ReleaseStepType } | null
  code: ConditionCode
  who: Who[]
  /** The reason why its automation does not act; absent if that is not what it waits for. */
  by?: 'freeze' | 'pause'
}

/** Most of those who can move it that are kept. */
const MOST = 10

/** The steps that conditions of a whole release are about. */
const ABOUT: Readonly<Partial<Record<ConditionCode, ReleaseStepType>>> = {
  review_rejected: 'storeReview',
  submission_failed: 'submission',
  not_submitted: 'submission',
  in_review: 'storeReview',
  not_released: 'takeoff',
  release_running: 'takeoff',
  rolling_out: 'rollout',
}

/** Conditions that somebody has to mend, before all that is only not done yet. */
const TO_MEND: ReadonlySet<ConditionCode> = new Set([
  'review_rejected',
  'submission_failed',
  'cherry_pick_failed',
  'cherry_pick_open',
])

/**
 * Returns the one thing that a release waits for from its kickoff on, of the conditions of
 * `whyNotMoving`: a failure to repair, or else the step that is blocked, in progress or next, as
 * its page shows it. Null before, and once it is over.
 */
export function heldBy(
  facts: ReleaseFacts,
  now: Instant,
  assessments: ReadonlyMap<string, Assessment> = assessSteps(facts),
  outside: readonly HeldOutside[] = []
): Hold | null {
  if (facts.kickedOffAt === null || facts.completedAt !== null) return null
  const steps = facts.steps.map((step) => ({ step, ...assessments.get(step.id)! }))
  const [found] = releaseConditions(facts, assessments, statusesOf(assessments))
    .map((condition) => ({ condition, at: placeOf(condition, steps) }))
    .sort((one, other) => weightOf(one) - weightOf(other))
  if (!found) return null
  const { condition, at } = found
  const unmet = at && at.unmet.length > 0 ? at.unmet : [condition]
  const own: Hold = {
    step: at && { stepConfigId: at.step.stepConfigId, name: at.step.name, type: at.step.type },
    code: unmet[0].code,
    who: waitedFor(distinct(unmet.flatMap(({ who }) => who))),
  }
  return heldByOther(own, outside) ?? heldAutomation(facts, own, now) ?? own
}

/** Returns whether a release waits for nothing of its own but to be released to users. */
const isAtTakeoff = ({ step, code }: Hold): boolean =>
  step?.type === 'takeoff' || code === 'not_released'

/** Returns whether another release may be what one with this hold waits for, before or after. */
export const mayWaitForOther = (hold: Hold): boolean =>
  isAtTakeoff(hold) || hold.code === 'pair_waits' || hold.code === 'automation_held'

function heldByOther(own: Hold, outside: readonly HeldOutside[]): Hold | null {
  const others = outside.flatMap((each) => (each.isForOther ? each.conditions : []))
  if (others.length === 0 || !isAtTakeoff(own)) return null
  const who = waitedFor(distinct(others.flatMap((each) => each.who)))
  return { step: null, code: others[0].code, who }
}

/** The action whose date has to come, where nothing else is missing. */
const ACTION_OF: Readonly<Partial<Record<ConditionCode, ScheduledAction>>> = {
  not_submitted: 'submit',
  not_released: 'release',
  release_pending: 'release',
}

/** Until its date comes, an automation is held by nothing. */
function heldAutomation(facts: ReleaseFacts, { code }: Hold, now: Instant): Hold | null {
  const action = ACTION_OF[code]
  const held = facts.automations.find((each) => each.action === action)
  const target = action ? targetOf(facts, action) : null
  if (!held?.enabled || target === null || target > now) return null
  if (held.heldBy !== 'freeze' && held.heldBy !== 'pause') return null
  const who = [holderOf('EditAutomations')]
  return { step: null, code: 'automation_held', who, by: held.heldBy }
}

/** Returns those who act by themselves, if there are some: others may act, and need not. */
function waitedFor(who: readonly Who[]): Who[] {
  const acting = ['service', 'store'].map((type) => who.filter((each) => each.type === type))
  return (acting.find((some) => some.length > 0) ?? who).slice(0, MOST)
}

interface Assessed extends Assessment {
  step: StepFacts
}

interface Found {
  condition: Condition
  at: Assessed | null
}

const PLACES = { blocked: 1, inProgress: 2, notStarted: 3, complete: 4 } as const

function weightOf({ condition: { code, subject }, at }: Found): number {
  if (TO_MEND.has(code)) return 0
  return at && subject ? PLACES[at.status] : 4
}

function placeOf({ code, subject }: Condition, steps: readonly Assessed[]): Assessed | null {
  if (subject?.type === 'step') return steps.find(({ step }) => step.id === subject.id) ?? null
  const about = steps.filter(({ step }) => step.type === ABOUT[code])
  return about.find(({ status }) => status !== 'complete') ?? about[0] ?? null
}
