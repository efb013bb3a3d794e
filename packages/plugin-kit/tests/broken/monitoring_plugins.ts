import type { ConformanceOptions } from '../../conformance/options.js'
import type { PluginContext } from '../../context.js'
import { only } from './kinds_base.js'
import { monitoringSample, SampleAnalytics, SampleCrashes } from './monitoring_sample.js'

/** Replaces some methods of a good capability. */
type Change<Capability> = (good: Capability) => Partial<Capability>

const crashes = (change: Change<SampleCrashes>) =>
  only(
    'crashMonitoring',
    monitoringSample({
      crashes: class extends SampleCrashes {
        constructor(ctx: PluginContext) {
          super(ctx)
          Object.assign(this, change(new SampleCrashes(ctx)))
        }
      },
    })
  )

const analytics = (change: Change<SampleAnalytics>) =>
  only(
    'productAnalytics',
    monitoringSample({
      analytics: class extends SampleAnalytics {
        constructor(ctx: PluginContext) {
          super(ctx)
          Object.assign(this, change(new SampleAnalytics(ctx)))
        }
      },
    })
  )

const hourBefore = (instant: string) => new Date(Date.parse(instant) - 3_600_000).toISOString()

/** Plugins that break one rule of their kind each, by the rule. */
export const brokenMonitoring: Record<string, () => ConformanceOptions> = {
  'crashMonitoring.C1': () =>
    crashes((good) => ({
      health: async (window) => {
        const { crashFreeSessions, ...rest } = await good.health(window)
        if (crashFreeSessions === undefined) return rest
        return { ...rest, crashFreeSessions: 100 * crashFreeSessions }
      },
    })),
  'crashMonitoring.C2': () =>
    crashes((good) => ({
      health: async (window) => ({ crashFreeSessions: 1, ...(await good.health(window)) }),
    })),
  'crashMonitoring.C3': () =>
    crashes((good) => ({
      listIssues: (window, order, cursor) =>
        good.listIssues({ ...window, from: '2026-11-01T00:00:00.000Z' }, order, cursor),
    })),
  'crashMonitoring.C4': () =>
    crashes((good) => ({
      listIssues: (window, _order, cursor) => good.listIssues(window, 'frequent', cursor),
    })),
  'crashMonitoring.C5': () =>
    crashes((good) => ({
      listIssues: async (window, order, cursor) => {
        const { items, ...rest } = await good.listIssues(window, order, cursor)
        return { items: items.map((each) => ({ ...each, open: true })), ...rest }
      },
    })),
  'productAnalytics.C1': () =>
    analytics((good) => ({
      listEvents: async (query, cursor) => {
        const { items, ...rest } = await good.listEvents(query, cursor)
        return { items: items.map((each) => ({ ...each, params: [] })), ...rest }
      },
    })),
  'productAnalytics.C2': () =>
    analytics((good) => ({
      series: (query) =>
        good.series(
          query.granularity === 'hour' ? { ...query, from: hourBefore(query.from) } : query
        ),
    })),
  'productAnalytics.C3': () =>
    analytics((good) => ({
      series: (query) => good.series({ ...query, granularity: 'hour' }),
    })),
  'productAnalytics.C4': () =>
    analytics((good) => ({
      series: async (query) => ({ ...(await good.series(query)), partial: false }),
    })),
  'productAnalytics.C5': () =>
    analytics((good) => ({
      series: (query) =>
        good.series({
          ...query,
          eventName: query.eventName === 'screen_seen' ? 'checkout_done' : query.eventName,
        }),
    })),
  'productAnalytics.C6': () =>
    analytics((good) => ({
      adoption: async (version) => (await good.adoption(version)) ?? { share: 0 },
    })),
}
