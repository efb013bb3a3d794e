import type {
  IssueTracking,
  ReleaseTime,
  Ticket,
  TicketFilter,
} from '#plugin-kit/capabilities/work'
import type { Mutation, Page, PluginContext, Ref } from '#plugin-kit/context'
import { changed } from '../shared/changed.js'
import { allOf, pageOf } from '../shared/world_pages.js'

/** The issue tracker of a simulated world. */
export default class SimulatedIssueTracking implements IssueTracking {
  constructor(private readonly ctx: PluginContext) {}

  search({ projects, version, keys, label }: TicketFilter, cursor?: string): Promise<Page<Ticket>> {
    const query = { project: projects, version, key: keys, label, cursor }
    return pageOf<Ticket>(this.ctx, { path: '/v1/tracker/tickets', query })
  }

  async get(key: string): Promise<Ticket | null> {
    const { status, body } = await this.ctx.http.send<Ticket>({
      method: 'GET',
      path: '/v1/tracker/tickets/{key}',
      params: { key },
      expect: [404],
    })
    return status === 404 ? null : body
  }

  listStatuses(_project: string): Promise<{ name: string; done: boolean }[]> {
    return allOf<{ name: string; done: boolean }>(this.ctx, { path: '/v1/tracker/statuses' })
  }

  ensureVersion(project: string, name: string, mutation: Mutation): Promise<Ref> {
    return changed<Ref>(this.ctx, mutation, {
      path: '/v1/tracker/projects/{project}/versions',
      params: { project },
      json: { name },
    })
  }

  async setVersion(keys: string[], version: string, mutation: Mutation): Promise<void> {
    for (const key of keys) {
      await changed(this.ctx, mutation, {
        path: '/v1/tracker/tickets/{key}/versions',
        params: { key },
        json: { version },
      })
    }
  }

  async addLabels(keys: string[], labels: string[], mutation: Mutation): Promise<void> {
    for (const key of keys) {
      await changed(this.ctx, mutation, {
        path: '/v1/tracker/tickets/{key}/labels',
        params: { key },
        json: { labels },
      })
    }
  }

  async releaseVersion(
    project: string,
    version: string,
    { at: releasedAt }: ReleaseTime,
    mutation: Mutation
  ): Promise<void> {
    await changed(this.ctx, mutation, {
      path: '/v1/tracker/projects/{project}/versions/{version}',
      params: { project, version },
      json: { releasedAt },
    })
  }
}
