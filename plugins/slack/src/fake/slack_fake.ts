import { createHmac } from 'node:crypto'
import {
  FakeProvider,
  type ChatScenario,
  type Delivery,
  type DeliveryOptions,
  type Press as ButtonPress,
  type Scenario,
} from '@tarmac/plugin-kit/testing'
import { API_HOST, REPLY_HOST, SCOPES } from '../manifest.js'
import { METHODS } from './methods.js'
import { Refusal, TEAM, Workspace } from './workspace.js'

/** The valid tokens: the name of the bot, and its scopes. */
const TOKENS: Readonly<Record<string, { bot: string; scopes: readonly string[] }>> = {
  'xoxb-good-token': { bot: 'tarmac', scopes: SCOPES },
  'xoxb-other-token': { bot: 'other', scopes: SCOPES },
  'xoxb-read-only': { bot: 'reader', scopes: ['channels:read', 'users:read'] },
}

/** The app that a person creates in a browser. */
export const APP = {
  clientId: '4711.0815',
  clientSecret: 'client-secret-of-the-app',
  signingSecret: 'signing-secret-of-the-app',
}

/** The least time between messages in a channel, in milliseconds. */
const PACE_MS = 1000

const NOTHING: ChatScenario = { channels: [], posts: [], users: [] }

/** A press of a button. */
export interface Press {
  memberId: string
  actionId: string
  value?: string
  triggerId: string
  /** Milliseconds since the epoch. */
  at: number
  secret?: string
}

/** A button within a block. */
interface Shown {
  text?: { text: string }
  action_id: string
  value?: string
}

/** The part of Slack that the plugin uses. Refusals have status 200. */
export class SlackFake extends FakeProvider {
  readonly workspace: Workspace
  /** Private replies, by their addresses. */
  readonly replies: { url: string; text: string }[] = []
  /** Number of messages that came too soon after another in their channel. */
  tooFast = 0
  /** True if messages that come too soon are refused instead of tolerated. */
  isStrict = false
  /** Error codes that the next calls of a method answer with. */
  readonly refusing: { method: string; error: string }[] = []
  /** Scopes that the app lacks, whatever its token. */
  readonly withoutScopes: string[] = []
  readonly #codes = new Map<string, string>()
  readonly #written = new Map<string, number>()

  constructor(private readonly clock?: () => number) {
    super()
    this.workspace = new Workspace(() => this.now)
  }

  protected override get now(): number {
    return this.clock?.() ?? super.now
  }

  seed({ chat }: Scenario): void {
    this.workspace.seed(structuredClone(chat ?? NOTHING))
  }

  state(): Scenario {
    return { chat: this.workspace.state() }
  }

  protected override tooMany(waitSeconds: number): Response {
    return Response.json(
      { ok: false, error: 'ratelimited' },
      { status: 429, headers: { 'retry-after': String(waitSeconds) } }
    )
  }

  protected async respond(request: Request): Promise<Response> {
    const { host, pathname } = new URL(request.url)
    if (host === REPLY_HOST || pathname.startsWith('/actions/')) return this.#reply(request)
    const name = pathname.slice('/api/'.length)
    const args = Object.fromEntries(new URLSearchParams(await request.text()))
    if (name === 'oauth.v2.access') return this.#grant(args)
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
    const token = TOKENS[request.headers.get('authorization')?.replace('Bearer ', '') ?? '']
    if (!method) return refused('unknown_method')
    if (!token) return refused('invalid_auth')
    const asked = { args, bot: token.bot, workspace: this.workspace }
    const scopes = method.scopes(asked)
    const given = token.scopes.filter((each) => !this.withoutScopes.includes(each))
    const provided = given.join(',')
    const headers = {
      'x-oauth-scopes': provided,
      ...(scopes.length > 0 && { 'x-accepted-oauth-scopes': scopes.join(',') }),
    }
    const needed = scopes.find((each) => !given.includes(each))
    if (needed !== undefined) return refused('missing_scope', { needed, provided }, headers)
    if (name.startsWith('chat.') && this.#isTooFast(args.channel)) {
      this.tooFast += 1
      if (this.isStrict) return this.tooMany(1)
    }
    try {
      const planned = this.refusing.findIndex((each) => each.method === name)
      if (planned >= 0) throw new Refusal(this.refusing.splice(planned, 1)[0].error)
      const answer = method.answer(asked)
      if (name.startsWith('chat.')) this.#written.set(args.channel, this.now)
      return Response.json({ ok: true, ...answer }, { headers })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return refused(error.code, error.more, headers)
    }
  }

  #isTooFast(channel: string): boolean {
    const last = this.#written.get(channel)
    return last !== undefined && this.now - last < PACE_MS
  }

  /** Plays a person who consents. Returns the code that their browser gets. */
  agree(redirectUri: string): string {
    const code = `code-${this.#codes.size + 1}`
    this.#codes.set(code, redirectUri)
    return code
  }

  #grant({
    code,
    client_id: id,
    client_secret: secret,
    redirect_uri: uri,
  }: Record<string, string>) {
    if (id !== APP.clientId) return refused('invalid_client_id')
    if (secret !== APP.clientSecret) return refused('bad_client_secret')
    const known = this.#codes.get(code)
    this.#codes.delete(code)
    if (known === undefined) return refused('invalid_code')
    if (known !== uri) return refused('bad_redirect_uri')
    return Response.json({
      ...{ ok: true, access_token: 'xoxb-good-token', token_type: 'bot', scope: SCOPES.join(',') },
      ...{ bot_user_id: 'U0TARMAC', app_id: 'A0TARMAC', team: { id: TEAM, name: 'Acme' } },
      ...{ enterprise: null, is_enterprise_install: false, authed_user: { id: 'U1' } },
    })
  }

  async #reply(request: Request): Promise<Response> {
    const { text } = (await request.json()) as { text: string }
    this.replies.push({ url: request.url, text })
    return new Response('ok')
  }

  /** Makes the press of a button below a message. */
  deliverPress(
    { messageId, label, memberId, id }: ButtonPress,
    { secret, at }: DeliveryOptions
  ): Delivery {
    const blocks = (this.workspace.messages.find(({ ts }) => ts === messageId)?.blocks ?? []) as {
      elements?: Shown[]
    }[]
    const button = blocks
      .flatMap(({ elements = [] }) => elements)
      .find(({ text }) => text?.text === label)
    if (!button) throw new Error(`${messageId} has no button ${label}`)
    const { action_id: actionId, value } = button
    return this.press({ memberId, actionId, value, triggerId: id, at, secret })
  }

  /** Makes the request that Slack sends for a press. */
  press({ memberId, actionId, value, triggerId, at, secret = APP.signingSecret }: Press): Delivery {
    const payload = {
      ...{ type: 'block_actions', api_app_id: 'A0TARMAC', trigger_id: triggerId },
      ...{ user: { id: memberId, team_id: TEAM }, team: { id: TEAM, domain: 'acme' } },
      response_url: `https://${REPLY_HOST}/actions/${TEAM}/${triggerId}`,
      actions: [
        {
          ...{ type: 'button', action_id: actionId, block_id: 'b1' },
          ...(value !== undefined && { value }),
          action_ts: String(at / 1000),
        },
      ],
    }
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
    return this.signed(body, 'application/x-www-form-urlencoded', { at, secret })
  }

  /** Signs a request as Slack does. */
  signed(
    body: string,
    contentType: string,
    { at, secret }: { at: number; secret: string }
  ): Delivery {
    const stamp = String(Math.floor(at / 1000))
    const hash = createHmac('sha256', secret).update(`v0:${stamp}:${body}`).digest('hex')
    return {
      headers: {
        'content-type': contentType,
        'x-slack-request-timestamp': stamp,
        'x-slack-signature': `v0=${hash}`,
      },
      rawBody: Buffer.from(body),
    }
  }
}

/** The hosts that the fake replaces. */
export const HOSTS = [API_HOST, REPLY_HOST]

const refused = (error: string, more: object = {}, headers: Record<string, string> = {}) =>
  Response.json({ ok: false, error, ...more }, { headers })
