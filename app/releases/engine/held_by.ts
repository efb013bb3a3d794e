import type { Instant } from '#foundation/core/clock'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type { Assessment } from './assessment.js'
import { holderOf, targetOf, type Condition, type ConditionCode, type Who } from './conditions.js'
import type { ReleaseFacts, ScheduledAction, StepFacts } from './facts.js'
import { assessSteps, statusesOf } from './evaluate.js'
import { distinct, releaseConditions, type HeldOutside } from './why_not_moving.js'

/** The thing a release waits for, and who can move it. */
export interface Hold {
  /** Null for anything but a step, such as a cherry-pick, a freeze or another release. */
  step: { stepConfigId: string; name: string; type: ReleaseStepType } | null
  code: ConditionCode
  who: Who[]
  /** The reason why an automation does not act; absent if the release waits for something else. */
  by?: 'freeze' | 'pause'
}

/** Maximum number of people and systems of a hold. */
const MAX_PARTIES = 10

/** The type of the step that a condition of the whole release is about. */
const STEP_TYPE_OF: Readonly<Partial<Record<ConditionCode, ReleaseStepType>>> = {
  review_rejected: 'storeReview',
  submission_failed: 'submission',
  not_submitted: 'submission',
  in_review: 'storeReview',
  not_released: 'takeoff',
  release_running: 'takeoff',
  rolling_out: 'rollout',
}

/** Conditions that somebody has to repair. They rank before work that is only not done yet. */
const NEEDS_REPAIR: ReadonlySet<ConditionCode> = new Set([
  'review_rejected',
  'submission_failed',
  'cherry_pick_failed',
  'cherry_pick_open',
])

/**
 * Returns the one thing that a release waits for, chosen from the conditions of `whyNotMoving`: a
 * failure to repair, or else the step that is blocked, in progress or next. Null before the kickoff
 * and after the release has ended.
 */
export function heldBy(
  facts: ReleaseFacts,
  now: Instant,
  assessments: ReadonlyMap<string, Assessment> = assessSteps(facts),
  outside: readonly HeldOutside[] = []
): Hold | null {
  if (facts.kickedOffAt === null || facts.completedAt !== null) return null
  const steps = facts.steps.map((step) => ({ step, ...assessments.get(step.id)! }))
  const [first] = releaseConditions(facts, assessments, statusesOf(assessments))
    .map((condition) => ({ condition, assessed: stepOf(condition, steps) }))
    .sort((one, other) => rankOf(one) - rankOf(other))
  if (!first) return null
  const { condition, assessed } = first
  const unmet = assessed && assessed.unmet.length > 0 ? assessed.unmet : [condition]
  const own: Hold = {
    step: assessed && holdStep(assessed.step),
    code: unmet[0].code,
    who: waitedFor(distinct(unmet.flatMap(({ who }) => who))),
  }
  return heldByOtherRelease(own, outside) ?? heldAutomation(facts, own, now) ?? own
}

const holdStep = ({ stepConfigId, name, type }: StepFacts) => ({ stepConfigId, name, type })

/** Returns whether a release is complete apart from being released to users. */
const isAtTakeoff = ({ step, code }: Hold): boolean =>
  step?.type === 'takeoff' || code === 'not_released'

/** Returns whether a release with this hold may wait for another release, now or after a change. */
export const mayWaitForOtherRelease = (hold: Hold): boolean =>
  isAtTakeoff(hold) || hold.code === 'pair_waits' || hold.code === 'automation_held'

/** Returns the hold by another release, once this one only has to be released. */
function heldByOtherRelease(own: Hold, outside: readonly HeldOutside[]): Hold | null {
  const others = outside.flatMap((each) => (each.isForOther ? each.conditions : []))
  if (others.length === 0 || !isAtTakeoff(own)) return null
  const who = waitedFor(distinct(others.flatMap((each) => each.who)))
  return { step: null, code: others[0].code, who }
}

/** The scheduled action that meets a condition. */
const ACTION_OF: Readonly<Partial<Record<ConditionCode, ScheduledAction>>> = {
  not_submitted: 'submit',
  not_released: 'release',
  release_pending: 'release',
}

/** Returns the hold of a frozen or paused automation. Before its date, nothing holds it. */
function heldAutomation(facts: ReleaseFacts, { code }: Hold, now: Instant): Hold | null {
  const action = ACTION_OF[code]
  const held = facts.automations.find((each) => each.action === action)
  const target = action ? targetOf(facts, action) : null
  if (!held?.enabled || target === null || target > now) return null
  if (held.heldBy !== 'freeze' && held.heldBy !== 'pause') return null
  const who = [holderOf('EditAutomations')]
  return { step: null, code: 'automation_held', who, by: held.heldBy }
}

/** Returns only the service or the store if one of them acts, since people need not act then. */
function waitedFor(who: readonly Who[]): Who[] {
  const acting = ['service', 'store'].map((type) => who.filter((each) => each.type === type))
  return (acting.find((some) => some.length > 0) ?? who).slice(0, MAX_PARTIES)
}

interface Assessed extends Assessment {
  step: StepFacts
}

interface Candidate {
  condition: Condition
  /** The step that the condition is about; null for none. */
  assessed: Assessed | null
}

const STATUS_RANK = { blocked: 1, inProgress: 2, notStarted: 3, complete: 4 } as const

function rankOf({ condition: { code, subject }, assessed }: Candidate): number {
  if (NEEDS_REPAIR.has(code)) return 0
  return assessed && subject ? STATUS_RANK[assessed.status] : 4
}

function stepOf({ code, subject }: Condition, steps: readonly Assessed[]): Assessed | null {
  if (subject?.type === 'step') return steps.find(({ step }) => step.id === subject.id) ?? null
  const about = steps.filter(({ step }) => step.type === STEP_TYPE_OF[code])
  return about.find(({ status }) => status !== 'complete') ?? about[0] ?? null
}
