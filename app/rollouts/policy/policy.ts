import type { RolloutPolicyEntity } from '../entities.js'
import type { SetPolicyInput } from '../validators/policy_input.js'
import { EVERY_DAY, type CrashMeasure } from '../vocabulary.js'

type Shown = NonNullable<RolloutPolicyEntity['policy']>
type ShownGuard = NonNullable<Shown['guard']>

/** How the health of a version is judged. */
export interface GuardPolicy extends Omit<ShownGuard, 'metrics'> {
  /** What is looked at. */
  metrics: GuardMetric[]
}

interface NamedEvents {
  /** Events that say how many there were. */
  total: string
  /** Events that say how many of them went wrong. */
  bad: string
}

/** A share of what went well: of so many, so many went wrong. */
export type GuardMetric = {
  /** The product's name of it: `crashFreeSessions`. */
  name: string
} &
  /** Custom events, whose values are added up. */
  (
    | ({ source: 'events' } & NamedEvents)
    /** Events that a provider counts. */
    | ({ source: 'productAnalytics' } & NamedEvents)
    | { source: 'crashMonitoring'; measure: CrashMeasure }
    /** Reviews of the version that users wrote in the store: one of one or two stars went wrong. */
    | { source: 'appReviews' }
  )

/** How a rollout grows where nobody looks. */
export interface RolloutPolicy extends Omit<Shown, 'guard'> {
  /** Null where nobody judges. */
  guard: GuardPolicy | null
}

/** A policy as somebody writes it: what is left out stands at its default. */
export type GivenPolicy = NonNullable<SetPolicyInput['policy']>
export type GivenGuard = NonNullable<GivenPolicy['guard']>
export type GivenMetric = GivenGuard['metrics'][number]

const DEFAULT_GUARD = { errorBound: 0.01, minimumSample: 1000, tolerance: 0.25 } as const

/** What nobody had to write stands at its default, and lists in the one order that they have. */
export function policyFrom(given: GivenPolicy): RolloutPolicy {
  const { guard, officeHours } = given
  return {
    ladder: given.ladder.map(({ percentage, hours }) => ({ percentage, hours })),
    healthyHours: given.healthyHours ?? null,
    timezone: given.timezone ?? 'UTC',
    officeHours: officeHours ? { from: officeHours.from, to: officeHours.to } : null,
    weekdays: [...(given.weekdays ?? EVERY_DAY)].sort((one, other) => one - other),
    quietDays: [...(given.quietDays ?? [])].sort(),
    finishWithinDays: given.finishWithinDays ?? null,
    call: [...(given.call ?? [])],
    guard: guard
      ? {
          metrics: guard.metrics.map(metricFrom),
          errorBound: guard.errorBound ?? DEFAULT_GUARD.errorBound,
          minimumSample: guard.minimumSample ?? DEFAULT_GUARD.minimumSample,
          tolerance: guard.tolerance ?? DEFAULT_GUARD.tolerance,
        }
      : null,
    stops: given.stops ?? 'own',
  }
}

/** A metric that was checked: what its source needs is there. */
function metricFrom({ name, source = 'events', measure, total, bad }: GivenMetric): GuardMetric {
  switch (source) {
    case 'appReviews':
      return { name, source }
    case 'crashMonitoring':
      return { name, source, measure: measure! }
    default:
      return { name, source, total: total!, bad: bad! }
  }
}
