import type { OnCall } from '#plugin-kit/capabilities/monitoring'
import type { PluginContext } from '#plugin-kit/context'
import { pageOf } from '../shared/world_pages.js'

/** On-call schedules of a simulated world. */
export default class SimulatedOnCall implements OnCall {
  constructor(private readonly ctx: PluginContext) {}

  listSchedules(query: string, cursor?: string) {
    return pageOf<{ id: string; name: string }>(this.ctx, {
      path: '/v1/oncall/schedules',
      query: { query, cursor },
    })
  }

  async whoIsOnCall(scheduleId: string, at: string) {
    const page = await pageOf<{ email: string; name: string; from: string; until: string }>(
      this.ctx,
      {
        path: '/v1/oncall/schedules/{scheduleId}/people',
        params: { scheduleId },
        query: { at },
      }
    )
    return page.items
  }
}
