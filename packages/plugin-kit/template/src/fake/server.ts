import { readFileSync } from 'node:fs'
import { FakeProvider, type Scenario } from '#plugin-kit/testing'
// #region chat
import type { ChatScenario } from '#plugin-kit/testing'
// #endregion

/** Returns a recorded answer of the provider. The fake overrides only what differs. */
const fixture = (name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8')) as object

const SCOPES_OF: Readonly<Record<string, string[]>> = {
  'good-token': ['read', 'write'],
  'other-token': ['read', 'write'],
  'read-only-token': ['read'],
}

/** The part of Acme that the plugin uses. */
export class AcmeFake extends FakeProvider {
  /** The whole content of the provider. */
  #world: Scenario = {}

  // #region chat
  protected get chat(): ChatScenario {
    return (this.#world.chat ??= {
      channels: [{ id: 'C1', name: 'releases' }],
      posts: [],
      users: [],
    })
  }

  /** Answers to changes, by idempotency key. */
  readonly #answered = new Map<string, unknown>()

  // #endregion
  seed(scenario: Scenario): void {
    this.#world = structuredClone(scenario)
    // #region chat
    this.#answered.clear()
    // #endregion
  }

  state(): Scenario {
    return this.#world
  }

  protected async respond(request: Request): Promise<Response> {
    const scopes = SCOPES_OF[request.headers.get('authorization')?.replace('Bearer ', '') ?? '']
    if (!scopes) return refusal(401, 'invalid_token', 'The token is not known')
    const { pathname } = new URL(request.url)
    if (pathname === '/v1/me') return Response.json({ ...fixture('me'), scopes })
    // #region chat
    if (pathname === '/v1/channels') return Response.json(this.#channels(request))
    const [, channel, message] =
      /^\/v1\/channels\/([^/]+)\/messages(?:\/([^/]+))?$/.exec(pathname) ?? []
    if (channel) return this.#change(request, decodeURIComponent(channel), message)
    // #endregion
    return refusal(404, 'not_found', 'There is no such thing')
  }

  // #region chat
  #channels({ url }: Request) {
    const { searchParams: query } = new URL(url)
    const from = Number(query.get('cursor') ?? 0)
    const until = from + Number(query.get('limit') ?? 20)
    const found = this.chat.channels.filter(({ name }) => name.includes(query.get('query') ?? ''))
    return {
      channels: found.slice(from, until).map((each) => ({ ...fixture('channel'), ...each })),
      next_cursor: until < found.length ? String(until) : '',
    }
  }

  async #change(request: Request, channelId: string, messageId?: string): Promise<Response> {
    const key = request.headers.get('idempotency-key')
    if (key !== null && this.#answered.has(key)) return Response.json(this.#answered.get(key))
    if (!this.chat.channels.some(({ id }) => id === channelId)) {
      return Response.json(fixture('error'), { status: 404 })
    }
    const { text, thread } = (await request.json()) as { text: string; thread?: string | null }
    const id = messageId ?? `M${this.chat.posts.length + 1}`
    const known = this.chat.posts.find((post) => post.id === messageId)
    if (known) known.text = text
    else if (messageId) return refusal(404, 'message_not_found', 'There is no such message')
    else this.chat.posts.push({ id, channelId, text, ...(thread ? { threadOf: thread } : {}) })
    const result = { ...fixture('message'), id, channel: channelId, text, thread: thread ?? null }
    if (key !== null) this.#answered.set(key, result)
    return Response.json(result)
  }
  // #endregion
}

const refusal = (status: number, code: string, message: string) =>
  Response.json({ error: { code, message } }, { status })
