/*
 * The values of rollout policies, and their bounds.
 */

/**
 * The sources of the guard's counts: custom events sent to the service, or providers of the app and
 * its stores.
 */
export const METRIC_SOURCES = [
  'events',
  'crashMonitoring',
  'productAnalytics',
  'appReviews',
] as const
export type MetricSource = (typeof METRIC_SOURCES)[number]

/** Measures of a crash monitor: sessions or users that crashed, or crashes in all sessions. */
export const CRASH_MEASURES = ['crashFreeSessions', 'crashFreeUsers', 'crashes'] as const
export type CrashMeasure = (typeof CRASH_MEASURES)[number]

/** The rollouts that stop if the guard finds one unhealthy. */
export const STOPS = ['own', 'release', 'appGroup'] as const

/** The behaviour of a rollout without data: no reports, or no previous version. */
export const WHEN_UNSURE = ['hold', 'grow'] as const

/** The growth of a hotfix: all users at once, or like other releases. */
export const HOTFIX_ROLLOUTS = ['atOnce', 'ladder'] as const

/** Days of the week, 1 (Monday) to 7. */
export const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]

/** Least and greatest values of the numbers of a policy. */
export const POLICY_BOUNDS = {
  percentage: [0.01, 100],
  hours: [0, 8760],
  healthyHours: [1, 8760],
  finishWithinDays: [1, 365],
  errorBound: [0.0001, 0.2],
  harmBudget: [0.02, 50],
  /** Settings of earlier policies, which are still read. */
  minimumSample: [100, 1_000_000],
  tolerance: [0.02, 50],
} as const satisfies Record<string, readonly [least: number, most: number]>

/** The most timeline entries in the history of a rollout. */
export const MAX_HISTORY = 200

/** The most entries in the lists of a policy. */
export const MAX_ENTRIES = { rungs: 50, quietDays: 366, called: 20, metrics: 10 } as const

/** The most characters in the texts of a policy. */
export const MAX_LENGTHS = {
  name: 100,
  event: 200,
  email: 320,
  timezone: 64,
  time: 5,
  day: 10,
} as const
