import type { LocalDate } from '#planning/calendar/local_time'

/** A share of users, and how long a rollout stays there at least before it grows. */
export interface Rung {
  /** Percent of users; the last rung is 100. */
  percentage: number
  hours: number
}

/** How the health of a version is judged. */
export interface GuardPolicy {
  /** What is looked at. */
  metrics: GuardMetric[]
  /** How often a version without a drop may be called unhealthy, 0 to 1, over all of its rollout. */
  errorBound: number
  /** Sessions, or whatever is counted, that each side needs before anything is said. */
  minimumSample: number
  /** The drop that a healthy version surely does not have, in percentage points. */
  tolerance: number
}

/**
 * Who counts what the guard compares: custom events that were sent here, or what providers of the
 * app and its stores tell.
 */
export const METRIC_SOURCES = [
  'events',
  'crashMonitoring',
  'productAnalytics',
  'appReviews',
] as const
export type MetricSource = (typeof METRIC_SOURCES)[number]

/** Of what a crash monitor counts: sessions or users that crashed, or crashes in all sessions. */
export const CRASH_MEASURES = ['crashFreeSessions', 'crashFreeUsers', 'crashes'] as const
export type CrashMeasure = (typeof CRASH_MEASURES)[number]

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

/** Which rollouts stop where the guard finds one unhealthy. */
export const STOPS = ['own', 'release', 'appGroup'] as const
export type Stops = (typeof STOPS)[number]

/** How a rollout grows where nobody looks. */
export interface RolloutPolicy {
  /** The percentages, rising to 100. */
  ladder: Rung[]
  /** Hours that a rung lasts at least while the version is healthy; null keeps to the ladder. */
  healthyHours: number | null
  timezone: string
  /** Local times between which it may grow; null for any. */
  officeHours: { from: string; to: string } | null
  /** Days of the week on which it may grow, 1 (Monday) to 7. */
  weekdays: number[]
  /** Days on which it does not grow. */
  quietDays: LocalDate[]
  /** Days after its start when it goes to all; null holds it until somebody says so. */
  finishWithinDays: number | null
  /** E-mail addresses of whoever is called when it is held or halted. */
  call: string[]
  /** Null where nobody judges. */
  guard: GuardPolicy | null
  /**
   * What stops where this one is found unhealthy: it alone, the release in all of its stores, or
   * releases of that version of the other apps of the group, too.
   */
  stops: Stops
}

/** A policy as somebody writes it: what is left out stands at its default. */
export interface GivenPolicy {
  ladder: readonly Rung[]
  healthyHours?: number | null
  timezone?: string
  officeHours?: { from: string; to: string } | null
  weekdays?: readonly number[]
  quietDays?: readonly LocalDate[]
  finishWithinDays?: number | null
  call?: readonly string[]
  guard?: GivenGuard | null
  stops?: Stops
}

export interface GivenGuard {
  metrics: readonly GivenMetric[]
  errorBound?: number
  minimumSample?: number
  tolerance?: number
}

export interface GivenMetric {
  name: string
  source?: MetricSource
  measure?: CrashMeasure
  total?: string
  bad?: string
}

export const DEFAULT_GUARD = { errorBound: 0.01, minimumSample: 1000, tolerance: 0.25 } as const

export const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]

/** Least and most of the numbers of a policy, whoever writes it. */
export const POLICY_BOUNDS = {
  percentage: [0.01, 100],
  hours: [0, 8760],
  healthyHours: [1, 8760],
  finishWithinDays: [1, 365],
  errorBound: [0.0001, 0.2],
  minimumSample: [100, 1_000_000],
  tolerance: [0.02, 50],
} as const satisfies Record<string, readonly [least: number, most: number]>

/** Most entries of the lists of a policy. */
export const MOST = { rungs: 50, quietDays: 366, called: 20, metrics: 10 } as const

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
