import type { Instant } from '#foundation/core/clock'
import { instant, json, optional, table, text, type RowOf } from '#foundation/core/database/table'
import type { Actor } from '#foundation/core/principal'
import type { Judgement, Sample } from './guard/judge.js'
import type { PhasePause } from './policy/next_phase.js'
import type { RolloutPolicy } from './policy/policy.js'

/** How rollouts of an app grow in one of its stores where nobody looks. */
export const rolloutPolicies = table('rollout_policies', {
  id: text(),
  organizationId: text(),
  appId: text(),
  /** Null for the first store of the app. */
  destinationId: optional(text()),
  policy: json<RolloutPolicy>(),
  updatedAt: instant(),
})

/** What a rollout reached, and when. */
export interface Stage {
  percentage: number
  at: Instant
  /** When it was seen stopped there; what goes on after it is a stage of its own. */
  stoppedAt?: Instant
  /** When it was found unhealthy there. */
  unhealthyAt?: Instant
}

/** What was found of one metric. */
export type Found = {
  metric: string
  at: Instant
  /** The drop that counts as none, as a share; absent of what was found before it was kept. */
  tolerance?: number
} & Judgement

/** What providers told of one metric. */
export interface Measured {
  metric: string
  /** When the stage began that it is of. */
  stageAt: Instant
  current: Sample
  baseline: Sample | null
  at: Instant
  /** When more was counted than before; null until then. */
  heardAt: Instant | null
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
  /** What providers last told, one of each metric that they are asked for. */
  samples: json<Measured[]>(),
  /** Since when they are asked every so often; null where nobody is. */
  askedSince: optional(instant()),
  next: optional(json<Next>()),
  /** What the service paused a phased release for, while it is paused for that. */
  pausedFor: optional(text<PhasePause>()),
  /** What people were called for last: they are not called for it again. */
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
