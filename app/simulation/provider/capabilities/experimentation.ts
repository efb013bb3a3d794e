import type { Experimentation, Flag } from '#plugin-kit/capabilities/monitoring'
import type { Mutation, PluginContext } from '#plugin-kit/context'
import { pageOf } from '../shared/world_pages.js'

interface WorldFlag {
  key: string
  name: string
  enabled: boolean
  etag: string
}

/** Rules of flags while they are on, by key; other flags apply to everybody. */
const RULES: Readonly<Record<string, Flag['rules']>> = {
  'new-checkout': [{ audience: '', weights: { on: 0.5, off: 0.5 } }],
  'dark-mode': [{ audience: 'staff' }, { audience: '', weights: { on: 0.1, off: 0.9 } }],
  'fast-start': [{ audience: '', versionRange: '>=1.0.0' }],
}

/**
 * Feature flags of a simulated world: an experiment, a flag for staff first, and a flag for some
 * versions.
 */
export default class SimulatedExperimentation implements Experimentation {
  constructor(private readonly ctx: PluginContext) {}

  async listFlags(environment: string, { query }: { query?: string }, cursor?: string) {
    const page = await pageOf<WorldFlag>(this.ctx, {
      path: '/v1/flags/{environment}',
      params: { environment },
      query: { query, cursor },
    })
    return { ...page, items: page.items.map(flagOf) }
  }

  async getFlag(environment: string, key: string): Promise<Flag | null> {
    const { status, body } = await this.ctx.http.send<WorldFlag>({
      method: 'GET',
      path: '/v1/flags/{environment}/{key}',
      params: { environment, key },
      expect: [404],
    })
    return status === 404 ? null : flagOf(body)
  }

  async setEnabled(
    environment: string,
    key: string,
    enabled: boolean,
    { etag, comment }: Mutation & { etag?: string; comment: string }
  ): Promise<Flag> {
    const { body } = await this.ctx.http.send<WorldFlag>({
      method: 'PATCH',
      path: '/v1/flags/{environment}/{key}',
      params: { environment, key },
      json: { enabled, comment, ...(etag === undefined ? {} : { etag }) },
      // With an etag, a repetition would find that the flag has changed.
      idempotent: etag === undefined,
    })
    return flagOf(body)
  }
}

const flagOf = (flag: WorldFlag): Flag => ({
  ...flag,
  id: flag.key,
  variations: [
    { key: 'on', value: true },
    { key: 'off', value: false },
  ],
  rules: RULES[flag.key] ?? [{ audience: '' }],
})
