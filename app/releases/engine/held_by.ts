import type { Instant } from '#foundation/core/clock'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type { Condition, ConditionCode, Who } from './conditions.js'
import type { ReleaseFacts } from './facts.js'
import { distinct, whyNotMoving, type StepAnswer } from './why_not_moving.js'

/** What a release waits for, and who can move it. */
export interface Hold {
  /** Null where it is no step, such as a commit to be picked. */
  step: { stepConfigId: string; name: string; type: ReleaseStepType } | null
  code: ConditionCode
  who: Who[]
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
 * Returns the one thing that a release waits for from its kickoff on, of those that
 * `whyNotMoving` tells: what has to be mended, else the step that is blocked, in progress or next,
 * as its page shows it. Null before, and once it is over.
 */
export function heldBy(facts: ReleaseFacts, now: Instant): Hold | null {
  if (facts.kickedOffAt === null || facts.completedAt !== null) return null
  const { steps, release } = whyNotMoving(facts, now)
  const found = release
    .filter(({ code }) => code !== 'automation_held')
    .map((condition) => ({ condition, step: stepOf(condition, steps) }))
    .sort((one, other) => weightOf(one) - weightOf(other))[0]
  if (!found) return null
  const { condition, step } = found
  const known = step && facts.steps.find(({ id }) => id === step.stepId)!
  const first = step?.unmet[0]
  return {
    step: known ? { stepConfigId: known.stepConfigId, name: known.name, type: known.type } : null,
    code: first?.code ?? condition.code,
    who: waitedFor(distinct(first ? step.unmet.flatMap(({ who }) => who) : condition.who)),
  }
}

/** Who acts by themselves are who is waited for: others may act, and need not. */
function waitedFor(who: readonly Who[]): Who[] {
  const acting = ['service', 'store'].map((type) => who.filter((each) => each.type === type))
  return (acting.find((some) => some.length > 0) ?? who).slice(0, MOST)
}

interface Found {
  condition: Condition
  step: StepAnswer | null
}

const PLACES = { blocked: 1, inProgress: 2, notStarted: 3, complete: 4 } as const

function weightOf({ condition: { code, subject }, step }: Found): number {
  if (TO_MEND.has(code)) return 0
  return step && subject ? PLACES[step.status] : 4
}

function stepOf({ code, subject }: Condition, steps: readonly StepAnswer[]): StepAnswer | null {
  if (subject?.type === 'step') return steps.find(({ stepId }) => stepId === subject.id) ?? null
  const about = steps.filter(({ type }) => type === ABOUT[code])
  return about.find(({ status }) => status !== 'complete') ?? about[0] ?? null
}
