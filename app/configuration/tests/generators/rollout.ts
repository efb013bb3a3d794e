import fc from 'fast-check'
import { object, optional } from './values.js'

const rungs = fc
  .subarray([1, 5.5, 20, 50])
  .chain((shares) =>
    fc.tuple(
      ...[...shares, 100].map((percentage) =>
        object({ percentage: fc.constant(percentage), hours: fc.integer({ min: 0, max: 72 }) })
      )
    )
  )
const metric = (fields: object) =>
  object(
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fc.constant(value)]))
  )
const guardMetrics = fc
  .subarray(
    [
      { name: 'crashFreeSessions', total: 'sessions', bad: 'crashes' },
      { name: 'logins', source: 'productAnalytics', total: 'login', bad: 'login failed' },
      { name: 'crashFreeUsers', source: 'crashMonitoring', measure: 'crashFreeUsers' },
      { name: 'rating', source: 'appReviews' },
    ],
    { minLength: 1 }
  )
  // Reviews alone never allow a version to grow.
  .filter((metrics) => metrics.some(({ source }) => source !== 'appReviews'))
  .chain((metrics) => fc.tuple(...metrics.map(metric)))
/** Generates `rollout` of `appStoreReleaseSettings`, in every form. */
export const rollout = object({
  ladder: rungs,
  healthyHours: optional(fc.integer({ min: 1, max: 48 })),
  timezone: optional(fc.constantFrom('UTC', 'Europe/Berlin')),
  officeHours: optional(object({ from: fc.constant('09:00'), to: fc.constant('17:30') })),
  weekdays: optional(fc.subarray([5, 1, 3, 2], { minLength: 1 })),
  quietDays: optional(fc.subarray(['2026-12-31', '2026-12-24'])),
  finishWithinDays: optional(fc.integer({ min: 1, max: 30 })),
  call: optional(fc.subarray(['ann@acme.example', 'bob@acme.example'])),
  guard: optional(
    object({
      metrics: guardMetrics,
      errorBound: optional(fc.constantFrom(0.01, 0.05)),
      harmBudget: optional(fc.constantFrom(0.1, 1)),
      whenUnsure: fc.constant('grow'),
    })
  ),
  hotfix: optional(fc.constantFrom('atOnce', 'ladder')),
  stops: optional(fc.constantFrom('own', 'release', 'appGroup')),
})
