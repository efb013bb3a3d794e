import type { BetaTesting } from '#plugin-kit/capabilities/stores'
import type { PluginContext } from '#plugin-kit/context'
import { buildOf, type WorldBuild } from '../shared/store_build.js'
import { asItIs, named, observed, pageOf } from '../shared/world_pages.js'

/** The plugin kit's states for `ExternalBetaState` of App Store Connect. */
const STATES = {
  PROCESSING: 'processing',
  PROCESSING_EXCEPTION: 'processing',
  MISSING_EXPORT_COMPLIANCE: 'processing',
  IN_EXPORT_COMPLIANCE_REVIEW: 'processing',
  READY_FOR_BETA_SUBMISSION: 'processing',
  WAITING_FOR_BETA_REVIEW: 'inReview',
  IN_BETA_REVIEW: 'inReview',
  READY_FOR_BETA_TESTING: 'testing',
  BETA_APPROVED: 'testing',
  IN_BETA_TESTING: 'testing',
  BETA_REJECTED: 'rejected',
  EXPIRED: 'expired',
} as const

/** TestFlight of a simulated world. */
export default class SimulatedTestFlight implements BetaTesting {
  constructor(private readonly ctx: PluginContext) {}

  listGroups(cursor?: string) {
    const request = { ...this.#at('groups'), query: { cursor } }
    return pageOf<{ id: string; name: string; internal: boolean }>(this.ctx, request)
  }

  async listBuilds(filter: { version?: string; since?: string }, cursor?: string) {
    const query = { ...filter, ...named(filter.version), cursor }
    const current = asItIs(this.ctx)
    const page = await pageOf<WorldBuild>(this.ctx, { ...this.#at('builds'), query })
    const items = page.items.map((each) => ({
      ...buildOf(this.ctx, each, current),
      testing: observed(this.ctx, STATES, each.externalBuildState ?? '', current),
    }))
    return { ...page, items }
  }

  async setNotes(buildId: string, notes: { locale: string; text: string }[]): Promise<void> {
    await this.ctx.http.send({
      method: 'PUT',
      ...this.#at('builds/{id}/notes', buildId),
      json: { notes },
      idempotent: true,
    })
  }

  async distribute(buildId: string, groupIds: string[]) {
    const { body } = await this.ctx.http.send<{ state: string }>({
      method: 'POST',
      ...this.#at('builds/{id}/groups', buildId),
      json: { groupIds },
      idempotent: true,
    })
    return observed(this.ctx, STATES, body.state)
  }

  #at(path: string, id?: string) {
    const bundleId = String(this.ctx.data.bundleId ?? '')
    return { path: `/v1/apple/{bundleId}/${path}`, params: { bundleId, ...(id && { id }) } }
  }
}
