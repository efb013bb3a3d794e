import lifecycle from '../../template/src/lifecycle.js'
import { ProviderError } from '../../provider_error.js'
import { manifest } from '../../template/src/manifest.js'
import { FullChat, FullFake, sample, tokenSample, webhooks, type SampleParts } from './sample.js'
import type { ChatMessage } from '../../capabilities/work.js'
import type { ConformanceOptions } from '../../conformance/options.js'
import type { Mutation, Ref } from '../../context.js'

/** A plugin that breaks one rule, by the rule. */
export const broken: Record<string, () => ConformanceOptions> = {
  'M1': () => sample({ manifest: { docsUrl: 'http://acme.example' } }),
  'M2': () =>
    sample({ manifest: { capabilities: chat({ features: ['update', 'ensureChannel'] }) } }),
  'M3': () =>
    sample({
      manifest: {
        credentialSchema: {
          type: 'object',
          required: ['token'],
          properties: { token: { type: 'string' } },
        },
      },
    }),
  'M4': () => sample({ options: { settings: { hots: 'https://acme.example' } } }),
  'M5': () => {
    const [scheme] = manifest.auth
    return sample({ manifest: { auth: [{ ...scheme, sign: () => '' }] as never } })
  },
  'M6': () => sample({ manifest: { aliases: ['acme-hosted'] } }),
  'V1': () => {
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
  'V2': () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string, cursor?: string) {
          return super.listChannels(String(this.context.data.prefix ?? query), cursor)
        }
      }
    ),
  'V3': () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string, cursor?: string) {
          return super.listChannels(String(this.context.secret('prefix') ?? query), cursor)
        }
      }
    ),
  'A1': () =>
    sample({
      lifecycle: { check: async (ctx) => ({ ...(await lifecycle.check(ctx)), account: '' }) },
    }),
  'A2': () => sample({ lifecycle: { check: (ctx) => lifecycle.check(ctx).catch(forbidden) } }),
  'A3': () =>
    sample({
      lifecycle: {
        check: async (ctx) => ({ ...(await lifecycle.check(ctx)), missingPermissions: [] }),
      },
    }),
  'A4': () => tokenSample({}, 10 * FullFake.TOKEN_SECONDS),
  'A5': () => {
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
  'A6': () => sample({ lifecycle: { check: oneForAll() } }),
  'H1': () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string, cursor?: string) {
          await this.context.fetch('https://telemetry.example/').catch(() => {})
          return super.listChannels(query, cursor)
        }
      }
    ),
  'H2': () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string, cursor?: string) {
          await fetch('http://127.0.0.1:65535/').catch(() => {})
          return super.listChannels(query, cursor)
        }
      }
    ),
  'H3': () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string, cursor?: string) {
          this.context.log.info({ with: this.context.secret('token') }, 'asked')
          return super.listChannels(query, cursor)
        }
      }
    ),
  'chat.H5': () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string, cursor?: string) {
          try {
            return await super.listChannels(query, cursor)
          } catch (error) {
            if (this.context.signal.aborted) await new Promise(() => {})
            throw error
          }
        }
      }
    ),
  'chat.R1': () =>
    sample({
      fake: class extends FullFake {
        protected override tooMany(seconds: number) {
          return Response.json({}, { status: 429, headers: { 'x-acme-wait': String(seconds) } })
        }
      },
    }),
  'chat.R2': () => emptyInstead(({ code }) => code === 'unavailable'),
  'chat.R3': () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string, cursor?: string) {
          const { body } = await this.context.http.send({
            method: 'POST',
            path: '/v1/channels/search',
            json: { query, limit: '50', ...(cursor === undefined ? {} : { cursor }) },
          })
          const { channels, next_cursor: next } = body as { channels: []; next_cursor: string }
          if (!Array.isArray(channels))
            throw new ProviderError('protocol', 'None', { outcome: 'unknown' })
          return next ? { items: channels, next } : { items: channels }
        }
      }
    ),
  'chat.R4': () =>
    ofChat(
      class extends FullChat {
        override async post(channel: string, { text }: ChatMessage, m: Posting): Promise<Ref> {
          const path = `/v1/channels/${channel}/messages`
          const headers = { 'idempotency-key': m.idempotencyKey }
          const json = { text, thread: m.threadOf }
          try {
            return (await this.context.http.send<Ref>({ method: 'POST', path, headers, json })).body
          } catch (error) {
            const { code, message } = error as ProviderError
            throw new ProviderError(code, message, { outcome: 'notApplied' })
          }
        }
      }
    ),
  'chat.R5': () =>
    ofChat(
      class extends FullChat {
        override async post(channel: string, { text }: ChatMessage, m: Posting): Promise<Ref> {
          const path = `/v1/channels/${channel}/messages`
          const json = { text, thread: m.threadOf }
          return (await this.context.http.send<Ref>({ method: 'POST', path, json })).body
        }
      }
    ),
  'chat.R6a': () => leniently((text) => text.startsWith('<')),
  'chat.R6b': () => leniently((text) => text !== '' && !text.startsWith('<')),
  'chat.R6c': () => emptyInstead(({ message }) => message.includes('too long')),
  'chat.P1': () =>
    pages((page) => (page.next ? { ...page, items: [...page.items, page.items[0]] } : page)),
  'chat.P2': () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string, cursor?: string) {
          if (cursor === 'end') return { items: [] }
          return { next: 'end', ...(await super.listChannels(query, cursor)) }
        }
      }
    ),
  'chat.P3': () =>
    ofChat(
      class extends FullChat {
        #next: string | undefined
        override async listChannels(query: string, cursor?: string) {
          const page = await super.listChannels(query, cursor && this.#next)
          this.#next = page.next
          return page
        }
      }
    ),
  'chat.P4': () =>
    ofChat(
      class extends FullChat {
        override async listChannels(query: string) {
          const items: { id: string; name: string }[] = []
          let cursor: string | undefined
          do {
            const page = await super.listChannels(query, cursor)
            items.push(...page.items)
            cursor = page.next
          } while (cursor)
          return { items }
        }
      }
    ),
  'chat.C1': () =>
    posting((chatOf, channel, { text }, m) =>
      chatOf.send(channel, { text: text.replaceAll('<', '&lt;') }, m)
    ),
  'chat.C2': () =>
    posting((chatOf, channel, message, { idempotencyKey }) =>
      chatOf.send(channel, message, { idempotencyKey })
    ),
  'chat.C3': () =>
    posting((chatOf, channel, message, m) =>
      chatOf.send(channel, message, m).catch((error: ProviderError) => {
        if (error.code !== 'notFound') throw error
        throw new ProviderError('invalid', error.message, error.detail)
      })
    ),
  'chat.C4': () =>
    ofChat(
      class extends FullChat {
        override async update(channel: string, _ref: Ref, message: ChatMessage, m: Mutation) {
          return this.post(channel, message, m)
        }
      }
    ),
  'chat.C5': () =>
    sample({
      fake: class extends FullFake {
        #made = 0
        protected override async respond(request: Request) {
          const isNew = request.method === 'POST' && request.url.endsWith('/v1/channels')
          if (!isNew) return super.respond(request)
          const { name } = (await request.json()) as { name: string }
          this.#made += 1
          this.chat.channels.push({ id: `N${this.#made}`, name })
          return Response.json({ id: `N${this.#made}` })
        }
      },
    }),
  'chat.C6': () =>
    ofChat(
      class extends FullChat {
        override async findUserByEmail(email: string) {
          return (await super.findUserByEmail(email)) ?? { id: 'U0' }
        }
      }
    ),
  'W1': () =>
    sample({
      webhooks: {
        parse: (request) => webhooks.parse(request).filter(({ type }) => type === 'message.posted'),
      },
    }),
  'W2': () =>
    sample({
      webhooks: {
        verify: (request, secrets) => secrets.length === 0 || webhooks.verify(request, secrets),
      },
    }),
  'W3': () =>
    sample({
      webhooks: {
        verify: (request, [current]) => webhooks.verify(request, current ? [current] : []),
      },
    }),
  'W4': () =>
    sample({
      webhooks: {
        verify(request, secrets) {
          if (!request.headers['webhook-signature']) throw new TypeError('There is no signature')
          return webhooks.verify(request, secrets)
        },
      },
    }),
  'W5': () => {
    let deliveries = 0
    return sample({
      webhooks: {
        parse: (request) =>
          webhooks.parse(request).map((event) => ({ ...event, deliveryId: `${++deliveries}` })),
      },
    })
  },
  'W6': () =>
    sample({
      webhooks: {
        verify(request, secrets) {
          const body = Buffer.from(request.rawBody).toString()
          const rawBody = Buffer.from(JSON.stringify(JSON.parse(body)))
          return webhooks.verify({ ...request, rawBody }, secrets)
        },
      },
    }),
  'W7': () =>
    sample({
      webhooks: {
        verify(request, secrets) {
          const receivedAt = new Date(Number(request.headers['webhook-timestamp']) * 1000)
          return webhooks.verify({ ...request, receivedAt }, secrets)
        },
      },
    }),
  'K1': () =>
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
  'K2': () =>
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
type Posting = Mutation & { threadOf?: string }
type Page = Awaited<ReturnType<FullChat['listChannels']>>

const chat = (change: object) => ({
  chat: { ...manifest.capabilities.chat!, features: FEATURES, ...change },
})
const FEATURES = ['update', 'ensureChannel', 'findUserByEmail']

const ofChat = (Chat: SampleParts['chat']) => sample({ chat: Chat })

const forbidden = (error: ProviderError): never => {
  throw new ProviderError('forbidden', error.message, error.detail)
}

const pages = (change: (page: Page) => Page) =>
  ofChat(
    class extends FullChat {
      override async listChannels(query: string, cursor?: string) {
        return change(await super.listChannels(query, cursor))
      }
    }
  )

const emptyInstead = (when: (error: ProviderError) => boolean) =>
  ofChat(
    class extends FullChat {
      override async listChannels(query: string, cursor?: string) {
        return super.listChannels(query, cursor).catch((error: ProviderError): Page => {
          if (when(error)) return { items: [] }
          throw error
        })
      }
    }
  )

/** Takes some of what is no JSON for a list without anything in it. */
const leniently = (isLenient: (text: string) => boolean) =>
  ofChat(
    class extends FullChat {
      override async listChannels(query: string, cursor?: string): Promise<Page> {
        const { body } = await this.context.http.send<string>({
          method: 'GET',
          path: '/v1/channels',
          query: { query: query || undefined, cursor, limit: 50 },
          accept: 'text',
        })
        try {
          const { channels, next_cursor: next } = JSON.parse(body) as Record<string, never>
          return next ? { items: channels, next } : { items: channels }
        } catch {
          if (isLenient(body)) return { items: [] }
          throw new ProviderError('protocol', 'It is no JSON', { outcome: 'unknown' })
        }
      }
    }
  )

/** Posts otherwise; `send` posts as it should be. */
function posting(
  post: (
    of: { send: FullChat['post'] },
    channel: string,
    message: ChatMessage,
    m: Posting
  ) => Promise<Ref>
) {
  return ofChat(
    class extends FullChat {
      override async post(channel: string, message: ChatMessage, m: Posting) {
        return post({ send: (...given) => super.post(...given) }, channel, message, m)
      }
    }
  )
}

/** Gets tokens itself, one for each call that finds none. */
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
    const missing = body.scopes.includes('messages:write') ? [] : ['messages:write']
    return { account: body.team, missingPermissions: missing }
  }
}

/** Keeps the first token it sees for accounts whose own one works. */
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
