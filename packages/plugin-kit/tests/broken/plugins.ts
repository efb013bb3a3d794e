import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import lifecycle from '../../template/src/lifecycle.js'
import type { InboundRequest } from '../../plugin.js'
import { ProviderError } from '../../provider_error.js'
import { manifest } from '../../template/src/manifest.js'
import {
  FullChat,
  FullFake,
  interactions,
  ofChat,
  sample,
  tokenSample,
  webhooks,
} from './sample.js'
import type { ConformanceOptions } from '../../conformance/options.js'

const using = (use: () => unknown) => () =>
  ofChat(
    class extends FullChat {
      override async listChannels(query: string, cursor?: string) {
        await use()
        return super.listChannels(query, cursor)
      }
    }
  )

const isPress = ({ rawBody }: InboundRequest) =>
  Buffer.from(rawBody).toString().startsWith('{"press"')

/** Verifies presses correctly, and events in a given way. */
const ofEvents = (verify: (request: InboundRequest, secrets: string[]) => boolean | object) =>
  sample({
    webhooks: {
      verify: (request, secrets) =>
        isPress(request)
          ? webhooks.verify(request, secrets, {})
          : (verify(request, secrets) as boolean),
    },
  })

/** Plugins that use their machine, by the part that they use. */
export const MACHINE_USES = {
  'fs': using(() => existsSync('/etc/hosts')),
  // Not awaited: a slow call would break another rule.
  'fs/promises': using(() => void stat('/etc/hosts').catch(() => null)),
  'child_process': using(() => execFileSync(process.execPath, ['--version'])),
  'net': using(() =>
    connect(65535, '127.0.0.1')
      .on('error', () => {})
      .destroy()
  ),
  'process.env': using(() => process.env.HOME),
}

/** Plugins that break one rule each that applies to all kinds, by the rule. */
export const brokenPlugins: Record<string, () => ConformanceOptions> = {
  M1: () => sample({ manifest: { docsUrl: 'http://acme.example' } }),
  M2: () => sample({ manifest: { capabilities: chat({ features: ['update', 'ensureChannel'] }) } }),
  M3: () =>
    sample({
      manifest: {
        credentialSchema: {
          type: 'object',
          required: ['token'],
          properties: { token: { type: 'string' } },
        },
      },
    }),
  M4: () => sample({ options: { settings: { hots: 'https://acme.example' } } }),
  M5: () => {
    const [scheme] = manifest.auth
    return sample({ manifest: { auth: [{ ...scheme, sign: () => '' }] as never } })
  },
  M6: () => sample({ manifest: { aliases: ['acme-hosted'] } }),
  V1: () => {
    const { dataSchema } = manifest.capabilities.chat!
    const room = { 'x-room': { type: 'string' as const } }
    const properties = { ...dataSchema!.properties, ...room }
    const own = { ...dataSchema!, properties, required: ['primaryChannelIds', 'x-room'] }
    return sample({
      manifest: { capabilities: chat({ dataSchema: own }) },
      options: {
        before: undefined,
        data: { chat: { 'primaryChannelIds': ['C1'], 'x-room': 'one' } },
      },
    })
  },
  V2: () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string, cursor?: string) {
          return super.listChannels(String(this.context.data.prefix ?? query), cursor)
        }
      }
    ),
  V3: () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string, cursor?: string) {
          return super.listChannels(String(this.context.secret('prefix') ?? query), cursor)
        }
      }
    ),
  A1: () =>
    sample({
      lifecycle: { check: async (ctx) => ({ ...(await lifecycle.check(ctx)), account: '' }) },
    }),
  A2: () => sample({ lifecycle: { check: (ctx) => lifecycle.check(ctx).catch(forbidden) } }),
  A3: () =>
    sample({
      lifecycle: {
        check: async (ctx) => ({ ...(await lifecycle.check(ctx)), missingPermissions: [] }),
      },
    }),
  A4: () => tokenSample({}, 10 * FullFake.TOKEN_SECONDS),
  A5: () => {
    const kept: Kept = new Map()
    return tokenSample({
      lifecycle: { check: ownTokens(kept) },
      fake: class extends FullFake {
        constructor() {
          super()
          kept.clear()
        }
      },
    })
  },
  A6: () => sample({ lifecycle: { check: oneForAll() } }),
  H1: () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string, cursor?: string) {
          await this.context.fetch('https://telemetry.example/').catch(() => {})
          return super.listChannels(query, cursor)
        }
      }
    ),
  H2: () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string, cursor?: string) {
          await fetch('http://127.0.0.1:65535/').catch(() => {})
          return super.listChannels(query, cursor)
        }
      }
    ),
  H3: () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string, cursor?: string) {
          this.context.log.info({ with: this.context.secret('token') }, 'asked')
          return super.listChannels(query, cursor)
        }
      }
    ),
  H4: MACHINE_USES.fs,
  W1: () =>
    sample({
      webhooks: {
        parse: (request) => webhooks.parse(request).filter(({ type }) => type === 'message.posted'),
      },
    }),
  W2: () =>
    ofEvents((request, secrets) => secrets.length === 0 || webhooks.verify(request, secrets, {})),
  W3: () =>
    sample({
      webhooks: {
        verify: (request, [current]) => webhooks.verify(request, current ? [current] : [], {}),
      },
    }),
  W4: () =>
    ofEvents((request, secrets) => {
      if (!request.headers['webhook-signature']) throw new TypeError('There is no signature')
      return webhooks.verify(request, secrets, {})
    }),
  W5: () => {
    let deliveries = 0
    return sample({
      webhooks: {
        parse: (request) =>
          webhooks.parse(request).map((event) => ({ ...event, deliveryId: `${++deliveries}` })),
      },
    })
  },
  W6: () =>
    ofEvents((request, secrets) => {
      const body = Buffer.from(request.rawBody).toString()
      const rawBody = Buffer.from(JSON.stringify(JSON.parse(body)))
      return webhooks.verify({ ...request, rawBody }, secrets, {})
    }),
  W7: () =>
    ofEvents((request, secrets) => {
      const receivedAt = new Date(Number(request.headers['webhook-timestamp']) * 1000)
      return webhooks.verify({ ...request, receivedAt }, secrets, {})
    }),
  W8: () =>
    sample({
      interactions: {
        read(request) {
          const press = interactions.read(request)
          // A form changes unescaped text like this.
          return press && { ...press, value: press.value.replaceAll('+', ' ') }
        },
      },
    }),
  W9: () =>
    sample({
      webhooks: {
        verify: (request, secrets) => isPress(request) || webhooks.verify(request, secrets, {}),
      },
    }),
  W10: () =>
    sample({
      interactions: { member: async () => ({ kind: 'member', verifiedEmail: null }) },
    }),
  K1: () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string, cursor?: string) {
          await this.context.http
            .send({ method: 'GET', path: '/v1/beta', expect: [404] })
            .catch(() => {})
          return super.listChannels(query, cursor)
        }
      }
    ),
  K2: () =>
    sample({
      fake: class extends FullFake {
        protected override async respond(request: Request) {
          const response = await super.respond(request)
          if (!request.url.includes('/v1/channels?')) return response
          const { channels, next_cursor: next } = (await response.json()) as Record<string, unknown>
          return Response.json({ channels, ...(next === '' ? {} : { next_cursor: next }) })
        }
      },
    }),
}

type Kept = Map<unknown, { value: string; until: number }>

const chat = (change: object) => ({
  chat: { ...manifest.capabilities.chat!, features: FEATURES, ...change },
})
const FEATURES = ['update', 'ensureChannel', 'findUserByEmail']

const forbidden = (error: ProviderError): never => {
  throw new ProviderError('forbidden', error.message, error.detail)
}

/** Gets tokens itself: a new one for each call that finds none. */
function ownTokens(kept: Kept): typeof lifecycle.check {
  return async (ctx) => {
    const secret = ctx.secret('clientSecret')
    let token = kept.get(secret)
    if (!token || token.until < ctx.now().getTime() + 60_000) {
      const { body } = await ctx.http.send<string>({
        method: 'POST',
        path: '/v1/tokens',
        json: { client_id: ctx.secret('clientId'), client_secret: secret },
        anonymous: true,
      })
      token = { value: body, until: ctx.now().getTime() + FullFake.TOKEN_SECONDS * 1000 }
      kept.set(secret, token)
    }
    const { body } = await ctx.http.send<{ team: string; scopes: string[] }>({
      method: 'GET',
      path: '/v1/me',
      headers: { authorization: `Bearer ${token.value}` },
      anonymous: true,
    })
    const missing = body.scopes.includes('write') ? [] : ['write']
    return { account: body.team, missingPermissions: missing }
  }
}

/** Uses the first token that it gets for other accounts, too. */
function oneForAll(): typeof lifecycle.check {
  let first: unknown
  return async (ctx) => {
    const own = await lifecycle.check(ctx)
    if (own.missingPermissions.length > 0) return own
    first ??= ctx.secret('token')
    const headers = { authorization: `Bearer ${String(first)}` }
    await ctx.http.send({ method: 'GET', path: '/v1/me', headers, anonymous: true })
    return own
  }
}
