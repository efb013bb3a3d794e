import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ChatMessage, Mutation } from '#plugin-kit/index'
import type { ConformanceOptions } from '../../conformance/options.js'
import type { PluginContext } from '../../context.js'
import type { Delivery, DeliveryOptions, Press } from '../../fake/fake_provider.js'
import type {
  InboundRequest,
  InboundWebhooks,
  Interactions,
  Lifecycle,
  Plugin,
} from '../../plugin.js'
import AcmeChat from '../../template/src/capabilities/chat.js'
import contract from '../../template/src/contract.js'
import { AcmeFake } from '../../template/src/fake/server.js'
import lifecycle from '../../template/src/lifecycle.js'
import { manifest } from '../../template/src/manifest.js'

/*
 * The plugin that make:integration writes, with everything that it leaves out. The broken samples
 * are small variations of it.
 */

/** The fake of Acme, with created channels, members, their files, tokens and webhooks. */
export class FullFake extends AcmeFake {
  static readonly TOKEN_SECONDS = 3600
  readonly #tokens = new Map<string, { for: string; until: number }>()

  protected override isForToken(request: Request): boolean {
    return new URL(request.url).pathname === '/v1/tokens'
  }

  protected override async respond(request: Request): Promise<Response> {
    const { pathname, hostname, searchParams } = new URL(request.url)
    if (hostname === 'files.acme.example') return new Response('a picture')
    if (pathname === '/v1/tokens') return this.#token(request)
    const bearer = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
    const token = this.#tokens.get(bearer)
    if (token) {
      if (token.until <= this.now) return Response.json({ error: {} }, { status: 401 })
      request.headers.set('authorization', `Bearer ${token.for}`)
    }
    if (pathname === '/v1/people') {
      const user = this.chat.users.find(({ email }) => email === searchParams.get('email'))
      return user ? Response.json(user) : Response.json({ error: {} }, { status: 404 })
    }
    if (pathname === '/v1/channels' && request.method === 'POST') return this.#channel(request)
    if (pathname === '/v1/channels/search') {
      const query = new URLSearchParams((await request.json()) as Record<string, string>)
      const url = `${new URL(request.url).origin}/v1/channels?${query}`
      return super.respond(new Request(url, { headers: request.headers }))
    }
    if (/\/messages$/.test(pathname)) return this.#message(request)
    const [, member] = /^\/v1\/members\/([^/]+)$/.exec(pathname) ?? []
    if (member) {
      const user = this.chat.users.find(({ id }) => id === member)
      return user ? Response.json(user) : Response.json({ error: {} }, { status: 404 })
    }
    return super.respond(request)
  }

  async #token(request: Request): Promise<Response> {
    const { client_secret: secret } = (await request.json()) as { client_secret: string }
    if (!secret.endsWith('-token')) return Response.json({ error: 'bad' }, { status: 401 })
    const value = `session-${this.#tokens.size + 1}`
    this.#tokens.set(value, { for: secret, until: this.now + FullFake.TOKEN_SECONDS * 1000 })
    return Response.json(value)
  }

  /** Buttons of messages, by the id of the message. */
  readonly #buttons = new Map<string, Button[]>()

  /** The provider keeps buttons beside the text. */
  async #message(request: Request): Promise<Response> {
    const { buttons = [] } = (await request.clone().json()) as { buttons?: Button[] }
    const response = await super.respond(request)
    const { id } = (await response.clone().json()) as { id?: string }
    if (id !== undefined) this.#buttons.set(id, buttons)
    return response
  }

  deliverPress({ messageId, label, memberId, id }: Press, options: DeliveryOptions): Delivery {
    const button = this.#buttons.get(messageId)?.find((each) => each.label === label)
    if (!button) throw new Error(`${messageId} has no button ${label}`)
    const at = new Date(options.at).toISOString()
    const { action, value } = button
    return signed({ press: { action, value, memberId }, at }, id, options)
  }

  async #channel(request: Request): Promise<Response> {
    const { name } = (await request.json()) as { name: string }
    const known = this.chat.channels.find((each) => each.name === name)
    const channel = known ?? { id: `C${this.chat.channels.length + 1}`, name }
    if (!known) this.chat.channels.push(channel)
    return Response.json(channel)
  }

  deliverWebhook(event: string, options: DeliveryOptions): Delivery {
    const at = new Date(options.at).toISOString()
    return signed({ event, message: { id: 'M1' }, at }, 'msg_1', options)
  }
}

interface Button {
  label: string
  action: string
  value: string
}

/** Returns a delivery as Standard Webhooks describes it. */
function signed(body: object, id: string, { secret, at }: DeliveryOptions): Delivery {
  const rawBody = Buffer.from(JSON.stringify(body))
  const seconds = String(Math.floor(at / 1000))
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatureOf(secret, id, seconds, rawBody),
  }
  return { headers, rawBody }
}

export function signatureOf(secret: string, id: string, seconds: string, body: Uint8Array): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const hmac = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body)
  return `v1,${hmac.digest('base64')}`
}

/** Chat with every optional method. */
export class FullChat extends AcmeChat {
  constructor(protected readonly context: PluginContext) {
    super(context)
  }

  override async post(channel: string, message: ChatMessage, m: Mutation & { threadOf?: string }) {
    if (!message.buttons) return super.post(channel, message, m)
    const { body } = await this.context.http.send<{ id: string }>({
      method: 'POST',
      path: '/v1/channels/{channel}/messages',
      params: { channel },
      json: { text: message.text, buttons: message.buttons },
      headers: { 'idempotency-key': m.idempotencyKey },
      idempotent: true,
    })
    return { id: body.id }
  }

  async ensureChannel(name: string, _members: string[], _m: Mutation) {
    const { body } = await this.context.http.send<{ id: string }>({
      method: 'POST',
      path: '/v1/channels',
      json: { name },
      idempotent: true,
    })
    return { id: body.id }
  }

  async findUserByEmail(email: string) {
    const { status, body } = await this.context.http.send<{ id: string }>({
      method: 'GET',
      path: '/v1/people',
      query: { email },
      expect: [404],
    })
    return status === 404 ? null : { id: body.id }
  }
}

/** Buttons of the sample: signed like its webhooks, with a press instead of an event. */
export const interactions: Interactions = {
  read({ headers, rawBody }) {
    const { press, at } = JSON.parse(Buffer.from(rawBody).toString()) as {
      press?: { action: string; value: string; memberId: string }
      at: string
    }
    if (!press) return null
    return { ...press, deliveryId: headers['webhook-id'], occurredAt: at, replyTo: {} }
  },
  async member({ http }, memberId) {
    const { status, body } = await http.send<{ email: string }>({
      method: 'GET',
      path: '/v1/members/{member}',
      params: { member: memberId },
      expect: [404],
    })
    if (status === 404) return { kind: 'stranger', verifiedEmail: null }
    return { kind: 'member', verifiedEmail: body.email }
  },
  reply: () => Promise.resolve(),
}

const TOLERANCE_MS = 300_000

/** Webhooks as Standard Webhooks describes them. */
export const webhooks: InboundWebhooks = {
  ensure: () => Promise.resolve({ id: 'W1' }),
  remove: () => Promise.resolve(),
  verify({ headers, rawBody, receivedAt }: InboundRequest, secrets) {
    const seconds = headers['webhook-timestamp'] ?? ''
    const given = Buffer.from(headers['webhook-signature'] ?? '')
    if (!(Math.abs(receivedAt.getTime() - Number(seconds) * 1000) < TOLERANCE_MS)) return false
    return secrets.some((secret) => {
      const own = Buffer.from(signatureOf(secret, headers['webhook-id'] ?? '', seconds, rawBody))
      return own.length === given.length && timingSafeEqual(own, given)
    })
  },
  parse({ headers, rawBody }) {
    const { event, message, at } = JSON.parse(Buffer.from(rawBody).toString()) as {
      event: string
      message: { id: string }
      at: string
    }
    const deliveryId = headers['webhook-id']
    return [{ deliveryId, type: event, occurredAt: at, subject: { id: message.id }, hint: null }]
  },
}

const full = {
  ...manifest,
  aliases: ['acme-cloud'],
  hosts: { ...manifest.hosts, downloads: ['files.acme.example'] },
  webhooks: { verify: 'standardWebhooks' as const, events: ['message.posted', 'message.changed'] },
  capabilities: {
    chat: {
      ...manifest.capabilities.chat!,
      features: ['update', 'ensureChannel', 'findUserByEmail'],
    },
  },
}

/** The parts of a sample. */
export interface SampleParts {
  manifest?: Partial<typeof full>
  chat?: new (ctx: PluginContext) => FullChat
  lifecycle?: Partial<Lifecycle>
  webhooks?: Partial<InboundWebhooks>
  interactions?: Partial<Interactions>
  fake?: new () => FullFake
  options?: Partial<ConformanceOptions>
}

/** Returns the good sample, changed in one place. */
export function sample(parts: SampleParts = {}): ConformanceOptions {
  const plugin: Plugin = {
    manifest: { ...full, ...parts.manifest },
    lifecycle: async () => ({ default: { ...lifecycle, ...parts.lifecycle } }),
    webhooks: async () => ({ default: { ...webhooks, ...parts.webhooks } }),
    interactions: async () => ({ default: { ...interactions, ...parts.interactions } }),
    capabilities: { chat: async () => ({ default: parts.chat ?? FullChat }) },
  }
  const Fake = parts.fake ?? FullFake
  return {
    plugin,
    fake: () => new Fake(),
    credentials: {
      good: { token: 'good-token' },
      bad: { token: 'bad-token' },
      readOnly: { token: 'read-only-token' },
      other: { token: 'other-token' },
    },
    data: { chat: { primaryChannelIds: ['C1'] } },
    contract: async () => ({
      default: [
        ...contract,
        { id: 'people', method: 'GET', path: /^\/v1\/people$/, verified: true },
        { id: 'channel', method: 'POST', path: /^\/v1\/channels(\/search)?$/, verified: true },
        { id: 'picture', method: 'GET', path: /^\/pictures\//, verified: true },
        { id: 'token', method: 'POST', path: /^\/v1\/tokens$/, verified: true },
      ],
    }),
    before: full,
    ...parts.options,
  }
}

/** Returns the good sample with another chat. */
export const ofChat = (Chat: SampleParts['chat']) => sample({ chat: Chat })

/** Returns the good sample with tokens that a secret is exchanged for. */
export function tokenSample(
  parts: SampleParts = {},
  lifetimeSeconds = FullFake.TOKEN_SECONDS
): ConformanceOptions {
  const secret = { 'type': 'string', 'x-secret': true } as const
  const pair = (clientSecret: string) => ({ clientId: 'tarmac', clientSecret })
  return sample({
    ...parts,
    manifest: {
      auth: [{ scheme: 'twoStep', tokenPath: '/v1/tokens', lifetimeSeconds }] as never,
      credentialSchema: {
        type: 'object',
        required: ['clientId', 'clientSecret'],
        properties: { clientId: { type: 'string' }, clientSecret: secret },
      },
      ...parts.manifest,
    },
    options: {
      credentials: {
        good: pair('good-token'),
        bad: pair('bad-wrong'),
        readOnly: pair('read-only-token'),
        other: pair('other-token'),
      },
      ...parts.options,
    },
  })
}
