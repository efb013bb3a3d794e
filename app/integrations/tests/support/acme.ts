import type { Chat, ChatMessage } from '#plugin-kit/capabilities/work'
import type { Mutation, PluginContext } from '#plugin-kit/context'
import type { AuthScheme } from '#plugin-kit/manifest'
import { definePlugin, type Lifecycle, type Plugin } from '#plugin-kit/plugin'

class AcmeChat implements Chat {
  constructor(private readonly ctx: PluginContext) {}

  async listChannels(query: string) {
    const { body } = await this.ctx.http.send<{ id: string; name: string }[]>({
      method: 'GET',
      path: '/channels',
      query: { query },
    })
    return { items: body }
  }

  async post(channelId: string, message: ChatMessage, { idempotencyKey }: Mutation) {
    const { body } = await this.ctx.http.send<{ id: string }>({
      method: 'POST',
      path: '/channels/{channelId}/messages',
      params: { channelId },
      headers: { 'idempotency-key': idempotencyKey },
      json: message,
      idempotent: true,
    })
    return body
  }
}

const lifecycle: Lifecycle = {
  async check({ http }) {
    const { body } = await http.send<{ account: string; endsAt?: string }>({
      method: 'GET',
      path: '/me',
    })
    const { account, endsAt } = body
    return { account, missingPermissions: [], ...(endsAt === undefined ? {} : { endsAt }) }
  },
}

/**
 * Returns the plugin of a provider that is called over HTTP, at the host that the connection names.
 * @param hasLasting accepts an access token that cannot be renewed
 */
export function acmePlugin(auth: AuthScheme, hasLasting = false): Plugin {
  const secret = { 'type': 'string', 'x-secret': true } as const
  return definePlugin({
    manifest: {
      id: 'acme',
      aliases: [],
      name: 'Acme',
      version: '1.0.0',
      spi: 1,
      docsUrl: 'https://acme.example/docs',
      hosts: { allow: [], selfHosted: true },
      auth: [auth],
      credentialSchema: {
        type: 'object',
        properties: {
          token: secret,
          clientId: { type: 'string' },
          refreshToken: secret,
          ...(hasLasting ? { accessToken: secret } : {}),
        },
      },
      connectionSchema: {
        type: 'object',
        required: ['host'],
        properties: { host: { type: 'string', maxLength: 255 } },
      },
      rate: { requests: 1000, perSeconds: 1, concurrency: 10, scope: 'credential' },
      capabilities: { chat: { type: 'teams', features: [] } },
    },
    lifecycle: async () => ({ default: lifecycle }),
    capabilities: { chat: async () => ({ default: AcmeChat }) },
  })
}

export const HEADER: AuthScheme = { scheme: 'header', header: 'authorization', prefix: 'Bearer ' }

export const ROTATING: AuthScheme = {
  scheme: 'oauth2',
  authorizeUrl: '/oauth/authorize',
  tokenUrl: '/oauth/token',
  scopes: [],
  pkce: true,
  rotatingRefresh: true,
}
