import { compareTexts } from '../../foundation/core/compare_texts.js'
import type { ConditionCode } from '#releases/engine/conditions'
import { whoText } from '#releases/engine/who_text'
import { HOUR } from '#foundation/core/durations'
import type { Waited } from './plan.js'

/** Actions that are only possible in the Play Console, recognized by the service's messages. */
const IN_CONSOLE = {
  changes_not_sent: /press Send for review/,
  changes_not_published: /press Publish changes/,
} as const
type InConsole = keyof typeof IN_CONSOLE

export type ReasonCode = ConditionCode | InConsole

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
  isLeftOut?: boolean
}

/** Returns the reasons that count now; an incomplete step is replaced by its missing conditions. */
export function reasonsOf({ steps, release, next }: ReportedReasons): Reason[] {
  const isRolling = release.some(({ code }) => code === 'rolling_out')
  // Only its step reports the progress of a rollout.
  const rolling = isRolling ? missingIn(steps, 'rollout') : []
  const found = release.flatMap((condition): Reason[] => {
    if (condition.code === 'rolling_out' && rolling.length > 0) return []
    // Only its step reports the result of a submission.
    const tried = condition.code === 'not_submitted' ? missingIn(steps, 'submission') : []
    const results = tried.filter((each) => AFTER_TRYING.includes(each.condition.code))
    if (results.length > 0) return results
    const { subject } = condition
    const step = steps.find(({ stepId }) => subject?.type === 'step' && subject.id === stepId)
    return step ? missingOf(step) : [{ key: condition.code, step: null, condition }]
  })
  const known = new Set(rolling.map(({ key }) => key))
  return [...forConsole(next), ...rolling, ...found.filter(({ key }) => !known.has(key))]
}

function forConsole(next: ReportedReasons['next']): Reason[] {
  return (Object.keys(IN_CONSOLE) as InConsole[]).flatMap((code) => {
    const asked = next.find(({ message }) => IN_CONSOLE[code].test(message))
    if (!asked) return []
    const condition = { code, message: asked.message, who: [{ type: 'releasePilot' }] }
    return [{ key: code, step: null, condition }]
  })
}

/** Reasons that a submission step reports after an attempt. */
const AFTER_TRYING: readonly ReasonCode[] = [
  'submission_running',
  'submission_failed',
  'invalid_binary',
]

const missingIn = (steps: readonly ReportedStep[], wanted: string) =>
  steps.filter(({ type }) => type === wanted).flatMap(missingOf)

const missingOf = (step: ReportedStep): Reason[] =>
  step.unmet.map((condition) => ({
    key: `${step.stepId} ${condition.code} ${condition.subject?.id ?? ''}`,
    step,
    condition,
  }))

const PEOPLE = ['user', 'group', 'releasePilot', 'userAction']

export const isForPeople = ({ who }: ReportedCondition): boolean =>
  who.some(({ type }) => PEOPLE.includes(type))

interface Open {
  version: string
  what: string
  who: string
  since: number
}

/** Records what releases wait for, and for how long. Instants are milliseconds since the epoch. */
export class WaitingList {
  readonly #open = new Map<string, Open>()
  readonly #spans = new Map<string, Waited>()

  /** Records what a release waits for from now on; all other waits end. */
  take(version: string, reasons: readonly Reason[], now: number): void {
    const keys = new Set(reasons.map(({ key }) => `${version} ${key}`))
    for (const [key, each] of this.#open) {
      if (each.version !== version || keys.has(key)) continue
      this.#add(each, now, false)
      this.#open.delete(key)
    }
    for (const { key, step, condition } of reasons) {
      const id = `${version} ${key}`
      if (this.#open.has(id)) continue
      const what = `${step ? `${step.name}: ` : ''}${steady(condition)}`
      this.#open.set(id, { version, what, who: whoText(condition.who), since: now })
    }
  }

  /** Ends the waits of all releases but those under way. */
  keep(versions: readonly string[], now: number): void {
    for (const { version } of [...this.#open.values()]) {
      if (!versions.includes(version)) this.take(version, [], now)
    }
  }

  /** Ends all waits that are open, and returns all waits, the longest first. */
  all(now: number): Waited[] {
    for (const each of this.#open.values()) this.#add(each, now, true)
    this.#open.clear()
    return [...this.#spans.values()].sort(
      (one, other) => other.hours - one.hours || compareTexts(one.what, other.what)
    )
  }

  #add({ version, what, who, since }: Open, until: number, isOpen: boolean): void {
    const key = `${version} ${what} ${who}`
    const before = this.#spans.get(key)?.hours ?? 0
    const hours = Math.round((before + (until - since) / HOUR) * 10) / 10
    this.#spans.set(key, { version, what, who, hours, isOpen })
  }
}

/** Returns a reason without numbers that change while it lasts. */
const steady = ({ code, message }: ReportedCondition) =>
  code === 'rolling_out' ? 'It is not with all of its users yet.' : message
