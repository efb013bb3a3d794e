import type { ProductAnalytics } from '#plugin-kit/capabilities/monitoring'
import type { PluginContext } from '#plugin-kit/context'
import { pageOf } from '../shared/world_pages.js'

type Query = Parameters<ProductAnalytics['series']>[0]

/** Product analytics of a simulated world; it ignores the parameters of events. */
export default class SimulatedProductAnalytics implements ProductAnalytics {
  constructor(private readonly ctx: PluginContext) {}

  listEvents(query: string, cursor?: string) {
    return pageOf<{ name: string; params: string[] }>(this.ctx, {
      path: '/v1/analytics/events',
      query: { query, cursor },
    })
  }

  async series({ eventName, version, from, to, granularity, metric }: Query) {
    const query = { event: eventName, version, from, to, granularity, metric }
    const { body } = await this.ctx.http.send<{
      points: { at: string; value: number }[]
      partial: boolean
    }>({ method: 'GET', path: '/v1/analytics/series', query })
    return body
  }

  async adoption(version: string, from: string, to: string): Promise<{ share: number } | null> {
    const { body } = await this.ctx.http.send<{ share: number | null }>({
      method: 'GET',
      path: '/v1/analytics/adoption',
      query: { version, from, to },
    })
    return body.share === null ? null : { share: body.share }
  }
}
