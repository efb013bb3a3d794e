import type { Instant } from '#foundation/core/clock'
import { instant, json, optional, table, text, type RowOf } from '#foundation/core/database/table'
import type { Actor } from '#foundation/core/principal'
import type { Counts } from './guard/counts.js'
import type { Day, DesignEffect } from './guard/design_effect.js'
import type { Judgement } from './guard/judge.js'
import type { PhasePause } from './policy/next_phase.js'
import type { StoredPolicy } from './policy/policy.js'

/** How rollouts of an app grow in one of its stores where nobody looks. */
export const rolloutPolicies = table('rollout_policies', {
  id: text(),
  organizationId: text(),
  appId: text(),
  /** Null for the first store of the app. */
  destinationId: optional(text()),
  policy: json<StoredPolicy>(),
  updatedAt: instant(),
})

/** What a rollout reached, and when. */
export interface Stage {
  percentage: number
  at: Instant
  /** When it was seen stopped there, until it is seen to go on. */
  stoppedAt?: Instant
  /** Milliseconds in which it was stopped there before that. */
  stoppedFor?: number
  /** When it was found unhealthy there; what goes on after that is a stage of its own. */
  unhealthyAt?: Instant
  /** Pauses of the service there that a person ended. */
  overruled?: PhasePause[]
}

/** What was found of one metric. */
export type Found = {
  metric: string
  at: Instant
  /** As a share of all users. Like what follows, absent of what was found before it was kept. */
  harmBudget?: number
  designEffect?: DesignEffect
} & Judgement

/** What was counted of one metric at one stage. */
export interface Measured extends Omit<Counts, 'days'> {
  metric: string
  /** What the metric counts, and the version before; of another one it says nothing. */
  meaning: string
  before: string | null
  /** When the stage began, and the share of users that have the version there, 0 to 1. */
  stageAt: Instant
  share: number
  /** The version before by day, the oldest first; not kept at first. */
  days?: Day[]
  at: Instant
}

/** What the service does next, for people. */
interface Next {
  what: 'rolloutStage' | 'rolloutHeld' | 'rolloutResumed'
  message: string
  at: Instant
}

/** The rollout of a release in one store, as it is watched. */
export const rollouts = table('rollouts', {
  id: text(),
  organizationId: text(),
  appId: text(),
  /** Internal id. */
  releaseId: text(),
  integrationId: text(),
  startedAt: instant(),
  /** When it was with all, or another version took its place. */
  endedAt: optional(instant()),
  stages: json<Stage[]>(),
  /** What was found at the last look, one of each metric. */
  judgements: json<Found[]>(),
  /** What was last counted, one of each metric and stage. */
  samples: json<Measured[]>(),
  /** Since when they are asked every so often; null where nobody is. */
  askedSince: optional(instant()),
  next: optional(json<Next>()),
  /** What the service paused a phased release for, while it is paused for that. */
  pausedFor: optional(text<PhasePause>()),
  /** A day and what people were called for on it: they are not called for it again that day. */
  calledFor: optional(text()),
  /** The triage issue that the guard opened. */
  issueId: optional(text()),
  /** When it is looked at next. */
  lookAt: optional(instant()),
})

/** Releases that were stopped at once, until somebody lets them go on. */
export const redButtons = table('red_buttons', {
  releaseId: text(),
  organizationId: text(),
  appId: text(),
  pressedAt: instant(),
  pressedBy: json<Actor>(),
  reason: optional(text()),
  issueId: text(),
  /** The newest generation of each store after the press, by its integration. */
  generations: json<Record<string, number>>(),
})

/** A rollout that is watched, or was. */
export type RolloutRow = RowOf<typeof rollouts>

declare module '#foundation/core/database/table' {
  interface Tables {
    rollout_policies: typeof rolloutPolicies
    rollouts: typeof rollouts
    red_buttons: typeof redButtons
  }
}
