import type {
  CrashMonitoring,
  HealthWindow,
  ProductAnalytics,
} from '../../capabilities/monitoring.js'
import type { ConformanceOptions } from '../../conformance/options.js'
import type { PluginContext } from '../../context.js'
import type { CrashMonitoringScenario, Scenario } from '../../fake/scenario.js'
import { Api, optionsOf, paged, WorldFake, type FakeRequest } from './kinds_base.js'

type World = Required<Pick<Scenario, 'crashMonitoring' | 'productAnalytics'>>
type VendorIssue = CrashMonitoringScenario['issues'][number]
type VendorHealth = CrashMonitoringScenario['versions'][number]
type Series = Parameters<ProductAnalytics['series']>[0]

const HOUR_MS = 3_600_000

/** A provider of crash reports and metrics. */
export class MonitoringFake extends WorldFake<World> {
  protected world: World = {
    crashMonitoring: { versions: [], issues: [] },
    productAnalytics: { events: [], points: [], shares: [] },
  }

  protected answerTo({ what, query }: FakeRequest): object {
    const { crashMonitoring: crashes, productAnalytics: numbers } = this.world
    const version = query.get('version')
    const isIn = (at: string) => {
      const time = Date.parse(at)
      return Number(query.get('from')) <= time && time < Number(query.get('to'))
    }
    switch (what) {
      case 'health':
        return { items: crashes.versions.filter((each) => each.version === version) }
      case 'issues':
        return paged(
          crashes.issues
            .filter((each) => each.version === version && isIn(each.at))
            .sort(query.get('order') === 'new' ? byAge : byNumber),
          query
        )
      case 'events':
        return paged(
          numbers.events.filter(({ name }) => name.includes(query.get('query') ?? '')),
          query
        )
      case 'points':
        return {
          items: numbers.points.filter(({ event, at }) => event === query.get('event') && isIn(at)),
        }
      default:
        return { items: numbers.shares.filter((each) => each.version === version) }
    }
  }
}

const byAge = (one: VendorIssue, other: VendorIssue) => Date.parse(other.at) - Date.parse(one.at)
const byNumber = (one: VendorIssue, other: VendorIssue) => other.events - one.events

const spanOf = ({ from, to }: { from: string; to: string }) => ({
  from: String(Date.parse(from)),
  to: String(Date.parse(to)),
})

export class SampleCrashes implements CrashMonitoring {
  protected readonly api: Api

  constructor(protected readonly ctx: PluginContext) {
    this.api = new Api(ctx)
  }

  async health({ version }: HealthWindow): ReturnType<CrashMonitoring['health']> {
    const { items } = await this.api.list<VendorHealth>('health', undefined, { version })
    const sampledAt = this.ctx.now().toISOString()
    if (items.length === 0) return { sampledAt }
    const [{ sessions, crashedSessions }] = items
    return { sessions, crashFreeSessions: 1 - crashedSessions / sessions, sampledAt }
  }

  async listIssues(window: HealthWindow, order: 'new' | 'frequent', cursor?: string) {
    const query = { version: window.version, ...spanOf(window), order }
    const { items, ...rest } = await this.api.list<VendorIssue>('issues', cursor, query)
    const shown = items.map(({ id, title, users, events, isOpen }) => ({
      id,
      title,
      users,
      events,
      open: isOpen,
    }))
    return { items: shown, ...rest }
  }
}

export class SampleAnalytics implements Required<ProductAnalytics> {
  protected readonly api: Api

  constructor(protected readonly ctx: PluginContext) {
    this.api = new Api(ctx)
  }

  listEvents(query: string, cursor?: string) {
    return this.api.list<{ name: string; params: string[] }>('events', cursor, { query })
  }

  async series({ eventName, from, to, granularity }: Series) {
    const query = { event: eventName, ...spanOf({ from, to }) }
    const { items } = await this.api.list<{ at: string; value: number }>('points', undefined, query)
    const span = granularity === 'hour' ? HOUR_MS : 24 * HOUR_MS
    const sums = new Map<string, number>()
    for (const { at, value } of items) {
      const begin = new Date(Math.floor(Date.parse(at) / span) * span).toISOString()
      sums.set(begin, (sums.get(begin) ?? 0) + value)
    }
    const points = [...sums].map(([at, value]) => ({ at, value }))
    return { points, partial: Date.parse(to) > this.ctx.now().getTime() }
  }

  async adoption(version: string) {
    const { items } = await this.api.list<{ share: number }>('shares', undefined, { version })
    return items.length === 0 ? null : { share: items[0].share }
  }
}

/** Returns a plugin of two kinds, one of which is changed. */
export function monitoringSample({
  crashes = SampleCrashes,
  analytics = SampleAnalytics,
}: {
  crashes?: new (ctx: PluginContext) => SampleCrashes
  analytics?: new (ctx: PluginContext) => SampleAnalytics
} = {}): ConformanceOptions {
  return optionsOf(
    () => new MonitoringFake(),
    {
      crashMonitoring: async () => ({ default: crashes }),
      productAnalytics: async () => ({ default: analytics }),
    },
    { productAnalytics: ['adoption'] },
    { crashMonitoring: { projectId: 'acme' }, productAnalytics: {} }
  )
}
