import { ProviderError } from '#plugin-kit/provider_error'
import type { ChatMessage } from '#plugin-kit/capabilities/work'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { makeUser } from '#tests/support/app_fixture'
import { memoryPlugin } from '#tests/support/memory_plugin'
import { loadTestPlugins } from '#tests/support/plugins/index'
import type { StoreWorld } from '#stores/tests/support'

interface Sessions {
  sessions: number
  crashed: number
}

const away = () => new ProviderError('unavailable', 'Down', { outcome: 'notApplied' })

/** Crash monitoring, analytics, a chat and schedules in memory. */
export class Monitor {
  /** The counts per version, at any time. */
  readonly versions = new Map<string, Sessions>()
  readonly asked: { version: string; from: string; to: string; environment?: string }[] = []
  readonly posts: ChatMessage[] = []
  /** People on call, by schedule. */
  readonly onCall = new Map<string, { name: string; email?: string; from: string }[]>()
  /** The share of users that have the version; null if it does not report one. */
  share: number | null = null
  readonly adoptionAsked: { version: string; from: string; to: string }[] = []
  isAdoptionAway = false
  isDown = false
  /** The delay of its data in milliseconds. */
  lag = 0
  /** Returns the time up to which its data reaches, if not by `lag`. */
  sampledAt: ((window: { to: string }) => string) | null = null
  isScheduleAway = false
  /** Returns the issues of a version in a span of time, in an order. */
  issues: (window: { version: string; to: string }, order: string) => object[] = () => []

  /** Returns the sessions in a span of time, if they are not always those of the version. */
  sessionsOf: ((window: { version: string; from: string; to: string }) => number) | null = null

  get plugin() {
    const monitor = () => this
    const take = () => {
      if (this.isDown) throw away()
    }
    const counted = (version: string) => this.versions.get(version) ?? { sessions: 0, crashed: 0 }
    class Crashes {
      async health(window: { version: string; from: string; to: string; environment?: string }) {
        take()
        monitor().asked.push(window)
        const { lag, sampledAt } = monitor()
        const reaches = new Date(Math.min(Date.parse(window.to), Date.now() - lag)).toISOString()
        if (reaches <= window.from && lag > 0) return { sampledAt: reaches }
        const { sessions: all, crashed } = counted(window.version)
        const sessions = monitor().sessionsOf?.(window) ?? all
        return {
          sessions,
          users: sessions,
          events: crashed,
          ...(sessions > 0 && {
            crashFreeSessions: 1 - crashed / sessions,
            crashFreeUsers: 1 - crashed / sessions,
          }),
          sampledAt: sampledAt ? sampledAt(window) : reaches,
        }
      }
      async listIssues(window: { version: string; to: string }, order: string) {
        take()
        return { items: monitor().issues(window, order) }
      }
    }
    class Analytics {
      async listEvents() {
        return { items: [] }
      }
      async series({ eventName, version = '' }: { eventName: string; version?: string }) {
        take()
        const { sessions, crashed } = counted(version)
        const value = eventName === 'login' ? sessions : crashed
        return { points: [{ at: '2026-11-20T12:00:00.000Z', value }], partial: false }
      }
    }
    class Adopted extends Analytics {
      async adoption(version: string, from: string, to: string) {
        monitor().adoptionAsked.push({ version, from, to })
        if (monitor().isAdoptionAway) throw away()
        return monitor().share === null ? null : { share: monitor().share! }
      }
    }
    class Talk {
      async listChannels() {
        return { items: [] }
      }
      async post(_channel: string, message: ChatMessage) {
        monitor().posts.push(message)
        return { id: `m${monitor().posts.length}` }
      }
      async findUserByEmail(email: string) {
        return { id: `U-${email.split('@')[0]}` }
      }
    }
    class Schedules {
      async listSchedules() {
        return { items: [] }
      }
      async whoIsOnCall(schedule: string) {
        if (monitor().isScheduleAway) throw away()
        return monitor().onCall.get(schedule) ?? []
      }
    }
    return memoryPlugin('memory-monitor', 'Monitor in memory', {
      crashMonitoring: { type: 'sentry', does: Crashes },
      productAnalytics: { type: 'amplitude', features: ['adoption'], does: Adopted },
      chat: { type: 'slack', features: ['findUserByEmail'], does: Talk },
      onCall: { type: 'pagerduty', does: Schedules },
    })
  }
}

/** Adds crash monitoring, analytics, a chat and a schedule to the app of a world. */
export async function monitored(given: StoreWorld): Promise<Monitor> {
  const { world, appId, provider, store, target } = given
  const monitor = new Monitor()
  await loadTestPlugins({
    paper: async () => ({ default: store.plugin }),
    memory: async () => ({ default: monitor.plugin }),
  })
  await makeUser(world, 'ada@acme.example')
  const { id } = await connect(world, 'memory-monitor')
  const { storeType: type } = await target()
  const own = { provider: id, data: {} }
  await world.write((scope) =>
    replaceIntegrations(scope, appId, [
      { key: 'store', type, kind: 'appStore', provider, data: {} },
      {
        ...own,
        key: 'crashes',
        type: 'sentry',
        kind: 'crashMonitoring',
        data: { prodEnvironmentIdentifier: 'live' },
      },
      { ...own, key: 'numbers', type: 'amplitude', kind: 'productAnalytics' },
      {
        ...own,
        key: 'talk',
        type: 'slack',
        kind: 'chat',
        data: { primaryChannelIds: ['C1'] },
      },
      { ...own, key: 'schedule', type: 'pagerduty', kind: 'onCall', data: { scheduleId: 'S1' } },
    ])
  )
  return monitor
}
