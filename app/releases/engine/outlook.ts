import type { Instant } from '#foundation/core/clock'
import type { ReleaseFacts, ScheduledAction } from './facts.js'
import type { StepStatuses } from './readiness.js'
import { targetOf } from './conditions.js'
import {
  hasOpenPicks,
  isReadyToSubmit,
  isSubmitted,
  missingBeforeSubmission,
  decidingSteps,
} from './readiness.js'
import { isFinished } from './phase.js'

/** Something that happens or is due at a certain time. */
export interface NextStep {
  at: Instant
  what:
    | 'kickoff'
    | 'submit'
    | 'release'
    | 'kickoffReminder'
    | 'submitReminder'
    | 'releaseReminder'
    | 'storeRelease'
    | 'rolloutStage'
    | 'targetKickoff'
    | 'targetSubmit'
    | 'targetRelease'
  message: string
  /** The percentage of users afterwards; absent if it does not change. */
  percentage?: number
}

/** Returns whether a scheduled action is still to be taken. */
export function isPending(facts: ReleaseFacts, action: ScheduledAction): boolean {
  if (facts.skippedAt !== null || facts.completedAt !== null) return false
  switch (action) {
    case 'kickoff':
      return facts.kickedOffAt === null
    case 'submit':
      return facts.storeKind !== 'ota' && !isSubmitted(facts)
    case 'release':
      return facts.releasedAt === null && !isFinished(facts)
  }
}

/**
 * Returns what happens automatically at or after `now`, earliest first. Past target dates are not
 * listed, as an automation acts on its date or not at all.
 */
export function outlook(facts: ReleaseFacts, statuses: StepStatuses, now: Instant): NextStep[] {
  if (facts.skippedAt !== null || facts.completedAt !== null) return []
  return [
    ...automations(facts, statuses),
    ...reminders(facts),
    ...storeReleases(facts),
    ...rolloutStages(facts),
  ]
    .filter((step) => step.at >= now)
    .sort(byDate)
}

/** Returns the first instant after `now` at which something becomes due. */
export function nextEvaluationAt(
  facts: ReleaseFacts,
  statuses: StepStatuses,
  now: Instant
): Instant | null {
  return outlook(facts, statuses, now).find((step) => step.at > now)?.at ?? null
}

const TARGET_OF = {
  kickoff: { what: 'targetKickoff', name: 'kickoff' },
  submit: { what: 'targetSubmit', name: 'submission' },
  release: { what: 'targetRelease', name: 'release' },
} as const

/**
 * Returns the target dates of actions that people still have to take, including past dates.
 * Automated actions are in the outlook instead.
 */
export function targetDates(facts: ReleaseFacts, now: Instant): NextStep[] {
  return (['kickoff', 'submit', 'release'] as const).flatMap((action) => {
    const at = targetOf(facts, action)
    if (at === null || !isPending(facts, action)) return []
    const isAutomated = facts.automations.some(
      (each) => each.action === action && each.enabled && each.heldBy === null
    )
    if (isAutomated && at >= now) return []
    const { what, name } = TARGET_OF[action]
    const message =
      at < now
        ? `The target date of the ${name} has passed.`
        : `This is the target date of the ${name}. No automation will do it; do it by hand.`
    return [{ at, what, message }]
  })
}

const AUTOMATION_TEXT: Record<ScheduledAction, string> = {
  kickoff: 'The release is kicked off on its target date.',
  submit: 'The release is submitted for review on its target date.',
  release: 'The release goes to users on its target date if the store has approved it by then.',
}

function automations(facts: ReleaseFacts, statuses: StepStatuses): NextStep[] {
  return facts.automations.flatMap(({ action, enabled, heldBy }) => {
    const at = targetOf(facts, action)
    if (!enabled || heldBy !== null || at === null || !isPending(facts, action)) return []
    return [{ at, what: action, message: automationMessage(facts, statuses, action) }]
  })
}

function automationMessage(
  facts: ReleaseFacts,
  statuses: StepStatuses,
  action: ScheduledAction
): string {
  if (action !== 'submit' || isReadyToSubmit(facts, statuses)) return AUTOMATION_TEXT[action]
  const missing = missingBeforeSubmission(facts, statuses).map((step) => step.name)
  if (facts.kickedOffAt !== null && hasOpenPicks(facts))
    missing.unshift(`cherry-picks (${facts.picks!.length})`)
  return missing.length === 0
    ? `${AUTOMATION_TEXT.submit} Kick it off first, or nothing is submitted.`
    : `${AUTOMATION_TEXT.submit} Complete these steps first, or nothing is submitted: ${missing.join(', ')}.`
}

const REMINDER_OF = {
  kickoff: 'kickoffReminder',
  submit: 'submitReminder',
  release: 'releaseReminder',
} as const

function reminders(facts: ReleaseFacts): NextStep[] {
  return facts.reminders
    .filter(({ about }) => isPending(facts, about))
    .map(({ about, at }) => ({
      at,
      what: REMINDER_OF[about],
      message: `A reminder of the target date (${about}) is sent.`,
    }))
}

function storeReleases(facts: ReleaseFacts): NextStep[] {
  return decidingSteps(facts, 'takeoff').flatMap(({ facts: { pending, released, notBefore } }) =>
    pending && !released && notBefore !== null
      ? [
          {
            at: notBefore,
            what: 'storeRelease' as const,
            message: 'The store releases the version to users.',
          },
        ]
      : []
  )
}

function rolloutStages(facts: ReleaseFacts): NextStep[] {
  return decidingSteps(facts, 'rollout').flatMap(({ facts: { state, nextStage } }) =>
    state === 'active' && nextStage !== null
      ? [
          {
            at: nextStage.at,
            what: 'rolloutStage' as const,
            message: `The rollout rises to ${nextStage.percentage} %.`,
            percentage: nextStage.percentage,
          },
        ]
      : []
  )
}

/** Compares by time, earliest first. */
export const byDate = (a: { at: Instant }, b: { at: Instant }): number =>
  a.at < b.at ? -1 : a.at > b.at ? 1 : 0
