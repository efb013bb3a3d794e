import type { ConditionCode } from '#releases/engine/conditions'

/** Actions that are only possible in the Play Console, recognized by the service's messages. */
const CONSOLE_ACTIONS = {
  changes_not_sent: /press Send for review/,
  changes_not_published: /press Publish changes/,
} as const
type ConsoleAction = keyof typeof CONSOLE_ACTIONS

export type ReasonCode = ConditionCode | ConsoleAction

/** A condition in answers of `whyNotMoving`. */
interface ReportedCondition {
  code: ReasonCode
  message: string
  subject?: { type: string; id: string; name: string }
  who: readonly { type: string; id?: string; name?: string }[]
}

interface ReportedStep {
  stepId: string
  name: string
  type: string
  unmet: readonly ReportedCondition[]
}

export interface ReportedReasons {
  steps: readonly ReportedStep[]
  release: readonly ReportedCondition[]
  next: readonly { at: string; what: string; message: string }[]
}

/** Something that a release waits for now. */
export interface Reason {
  key: string
  step: ReportedStep | null
  condition: ReportedCondition
  /** True if nobody can resolve it, so that people continue without it. */
  isWaived?: boolean
}

/** Returns the reasons that count now: unmet conditions of a step instead of the step itself. */
export function reasonsOf({ steps, release, next }: ReportedReasons): Reason[] {
  const isRollingOut = release.some(({ code }) => code === 'rolling_out')
  // The progress of a rollout is reported only by the rollout step.
  const rollout = isRollingOut ? unmetIn(steps, 'rollout') : []
  const found = release.flatMap((condition): Reason[] => {
    if (condition.code === 'rolling_out' && rollout.length > 0) return []
    // The result of a submission is reported only by the submission step.
    const submission = condition.code === 'not_submitted' ? unmetIn(steps, 'submission') : []
    const results = submission.filter((each) => SUBMISSION_RESULTS.includes(each.condition.code))
    if (results.length > 0) return results
    const { subject } = condition
    const step = steps.find(({ stepId }) => subject?.type === 'step' && subject.id === stepId)
    return step ? unmetOf(step) : [{ key: condition.code, step: null, condition }]
  })
  const known = new Set(rollout.map(({ key }) => key))
  return [...consoleReasons(next), ...rollout, ...found.filter(({ key }) => !known.has(key))]
}

function consoleReasons(next: ReportedReasons['next']): Reason[] {
  return (Object.keys(CONSOLE_ACTIONS) as ConsoleAction[]).flatMap((code) => {
    const move = next.find(({ message }) => CONSOLE_ACTIONS[code].test(message))
    if (!move) return []
    const condition = { code, message: move.message, who: [{ type: 'releasePilot' }] }
    return [{ key: code, step: null, condition }]
  })
}

/** Reasons that a submission step reports after an attempt. */
const SUBMISSION_RESULTS: readonly ReasonCode[] = [
  'submission_running',
  'submission_failed',
  'invalid_binary',
]

const unmetIn = (steps: readonly ReportedStep[], stepType: string) =>
  steps.filter(({ type }) => type === stepType).flatMap(unmetOf)

const unmetOf = (step: ReportedStep): Reason[] =>
  step.unmet.map((condition) => ({
    key: `${step.stepId} ${condition.code} ${condition.subject?.id ?? ''}`,
    step,
    condition,
  }))

const PEOPLE = ['user', 'group', 'releasePilot', 'userAction']

export const isForPeople = ({ who }: ReportedCondition): boolean =>
  who.some(({ type }) => PEOPLE.includes(type))
