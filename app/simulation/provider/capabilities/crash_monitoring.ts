import type { CrashMonitoring, HealthWindow } from '#plugin-kit/capabilities/monitoring'
import type { PluginContext, Ref } from '#plugin-kit/context'
import { pageOf } from '../shared/world_pages.js'

interface WorldHealth {
  sessions: number
  users: number
  crashFreeSessions: number | null
  crashFreeUsers: number | null
  events: number
  newIssues: number
  openIssues: number
  sampledAt: string
}

interface WorldIssue extends Ref {
  title: string
  version: string
  users: number
  events: number
  isOpen: boolean
}

/**
 * Crash monitoring of a simulated world; it distinguishes versions, but no builds or environments.
 */
export default class SimulatedCrashMonitoring implements CrashMonitoring {
  constructor(private readonly ctx: PluginContext) {}

  async health({ version, from, to }: HealthWindow) {
    const { body } = await this.ctx.http.send<WorldHealth>({
      method: 'GET',
      path: '/v1/crashes/health',
      query: { version, from, to },
    })
    const { crashFreeSessions, crashFreeUsers, ...rest } = body
    return {
      ...rest,
      ...(crashFreeSessions === null ? {} : { crashFreeSessions }),
      ...(crashFreeUsers === null ? {} : { crashFreeUsers }),
    }
  }

  async listIssues(
    { version, from, to }: HealthWindow,
    order: 'new' | 'frequent',
    cursor?: string
  ) {
    const query = { version, from, to, order, cursor }
    const page = await pageOf<WorldIssue>(this.ctx, { path: '/v1/crashes/issues', query })
    const items = page.items.map(({ id, title, users, events, version: first, isOpen }) => ({
      ...{ id, title, users, events, firstVersion: first, open: isOpen },
    }))
    return { ...page, items }
  }
}
