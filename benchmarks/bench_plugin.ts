import type { Chat } from '#plugin-kit/capabilities/work'
import type { PluginContext } from '#plugin-kit/context'
import { definePlugin } from '#plugin-kit/plugin'

/** A chat on a self-hosted server, which answers its channels as a JSON list. */
export class BenchChat implements Chat {
  constructor(private readonly ctx: PluginContext) {}

  async listChannels() {
    const { body } = await this.ctx.http.send<{ id: string; name: string }[]>({
      method: 'GET',
      path: '/channels',
    })
    return { items: body }
  }

  async post() {
    return { id: 'none' }
  }
}

export const benchPlugin = definePlugin({
  manifest: {
    id: 'bench',
    aliases: [],
    name: 'Bench',
    version: '1.0.0',
    spi: 1,
    docsUrl: 'https://bench.example',
    hosts: { allow: [], selfHosted: true },
    auth: [{ scheme: 'header', header: 'authorization', prefix: 'Bearer ' }],
    credentialSchema: {
      type: 'object',
      properties: { token: { 'type': 'string', 'x-secret': true } },
    },
    connectionSchema: { type: 'object', properties: { host: { type: 'string' } } },
    rate: { requests: 1_000_000, perSeconds: 10, concurrency: 100, scope: 'connection' },
    capabilities: { chat: { type: 'bench-chat', features: [] } },
  },
  lifecycle: async () => ({
    default: { check: async () => ({ account: 'bench', missingPermissions: [] }) },
  }),
  capabilities: { chat: async () => ({ default: BenchChat }) },
})
