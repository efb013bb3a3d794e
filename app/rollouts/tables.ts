import type { Instant } from '#foundation/core/clock'
import {
  instant,
  json,
  optional,
  real,
  table,
  text,
  type RowOf,
} from '#foundation/core/database/table'
import type { Actor } from '#foundation/core/principal'
import type { Adoption } from './adoption.js'
import type { Counts } from './guard/counts.js'
import type { Day, DesignEffect } from './guard/design_effect.js'
import type { Judgement } from './guard/judge.js'
import type { PhasePause } from './policy/next_phase.js'
import type { StoredPolicy } from './policy/policy.js'

/** The policies by which an app's rollouts grow, one per store. */
export const rolloutPolicies = table('rollout_policies', {
  id: text(),
  organizationId: text(),
  appId: text(),
  /** Null for the first store of the app. */
  destinationId: optional(text()),
  policy: json<StoredPolicy>(),
  updatedAt: instant(),
})

/** A stage that a rollout reached, and when. */
export interface Stage {
  percentage: number
  at: Instant
  /** When it was first seen stopped at this stage; absent while it is not stopped. */
  stoppedAt?: Instant
  /** Milliseconds in which it was stopped at this stage before that. */
  stoppedFor?: number
  /** When it was found unhealthy at this stage; if it goes on, a new stage begins. */
  unhealthyAt?: Instant
  /** Reasons of the service's pauses at this stage that a person ended. */
  overruled?: PhasePause[]
}

/** The finding about one metric. */
export type Finding = {
  metric: string
  at: Instant
  /** As a share of all users. This and the following members are absent in older findings. */
  harmBudget?: number
  designEffect?: DesignEffect
  /**
   * The time up to which the data of a late source reaches, and the type of its integration; absent
   * for sources that are not late.
   */
  late?: { until: Instant; by: string | null }
} & Judgement

/** The counts of one metric at one stage. */
export interface Measured extends Omit<Counts, 'days'> {
  metric: string
  /** The meaning of the metric, and the previous version; the counts apply only to these. */
  meaning: string
  before: string | null
  /** Start of the stage, and the share of users that had the version during it, from 0 to 1. */
  stageAt: Instant
  share: number
  /** The previous version by day, the oldest first; absent in older rows. */
  days?: Day[]
  at: Instant
  /** The type of the integration that was asked; absent for the service's own counts. */
  by?: string
}

/** The next action of the service, for people. */
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
  /** When it reached all users, or another version replaced it. */
  endedAt: optional(instant()),
  stages: json<Stage[]>(),
  /** Findings of the last poll, one per metric. */
  judgements: json<Finding[]>(),
  /** Last counts, one per metric and stage. */
  samples: json<Measured[]>(),
  /** When periodic measuring began; null if no provider is asked. */
  askedSince: optional(instant()),
  /** The share of users that had the version when analytics were last asked; null before. */
  adoption: optional(json<Adoption>()),
  next: optional(json<Next>()),
  /** The reason for the current pause of a phased release by the service. */
  pausedFor: optional(text<PhasePause>()),
  /**
   * A day and the reasons for which people were called on it: they are not called again for these
   * on that day.
   */
  calledFor: optional(text()),
  /** The triage issue that the guard opened. */
  issueId: optional(text()),
  /** Time of the next poll. */
  lookAt: optional(instant()),
})

/** The findings of a rollout's guard about a metric at one check, for charts. */
export const rolloutLooks = table('rollout_looks', {
  organizationId: text(),
  /** Internal id. */
  releaseId: text(),
  integrationId: text(),
  metric: text(),
  at: instant(),
  /** The share of users that had the version, in percent. */
  percentage: real(),
  verdict: text<Judgement['verdict']>(),
  /** Shares of what went well, from 0 to 1; null without data. */
  rate: optional(real()),
  baselineRate: optional(real()),
  /** As a share of all users; null in older rows. */
  harmBudget: optional(real()),
  /** The counts of the version. */
  total: real(),
  bad: real(),
})

/** Releases that were stopped by the red button, until somebody lets them go on. */
export const redButtons = table('red_buttons', {
  releaseId: text(),
  organizationId: text(),
  appId: text(),
  pressedAt: instant(),
  pressedBy: json<Actor>(),
  reason: optional(text()),
  issueId: text(),
  /** The generation of each store after the press, by integration. */
  generations: json<Record<string, number>>(),
})

/** A rollout that is watched now or was before. */
export type RolloutRow = RowOf<typeof rollouts>

declare module '#foundation/core/database/table' {
  interface Tables {
    rollout_policies: typeof rolloutPolicies
    rollouts: typeof rollouts
    rollout_looks: typeof rolloutLooks
    red_buttons: typeof redButtons
  }
}
