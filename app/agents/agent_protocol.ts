import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import config from '@adonisjs/core/services/config'
import { readBody } from '#foundation/api/http/read_body'
import type { OperationResponse } from '#foundation/api/operation/response'
import type { Call, Wire } from '#foundation/api/operation/declaration'
import { cursors, executor, quota } from '#foundation/api/services'
import type { Principal } from '#foundation/core/principal'
import { refuse } from '#foundation/core/problems/problem'
import { clock } from '#foundation/core/services'
import { yieldToOthers, RequesterGone } from '#foundation/core/yielding'
import type { Caller } from './asking.js'
import { MAX_REQUEST } from './bounds.js'
import { asAgent, ClientNames } from './client_names.js'
import { requireBrief } from './require_brief.js'
import { messageIn, type Read } from './message_in.js'
import { requireOwnAddress } from './own_address.js'
import { messageWith, plainCallOf, type PlainCall } from './plain_call.js'
import { Plans } from './plans.js'
import { callTool } from './tools/call_tool.js'
import { toolIn, toolsOf } from './tools/sets.js'
import { isUrgentCall, type Arguments, type Tool } from './tools/tool.js'
import type { ProtocolInput } from './validators/protocol_input.js'

const JSON_TYPE = 'application/json'
const STREAM_TYPE = 'text/event-stream'

/** The members of a message that are used here; their values may be anything. */
interface Message {
  id?: unknown
  method?: unknown
  params?: {
    name?: unknown
    arguments?: Arguments
    clientInfo?: { name?: unknown }
    _meta?: Record<string, unknown>
  }
}

/** The sender of a message. */
interface Sender {
  principal: Principal
  baseUrl: string
  gone: Gone
}

/** Data that accompanies a message through the SDK. */
interface Sent extends Omit<Sender, 'gone'> {
  /** The client's name if the message does not contain it. */
  client: string | undefined
  listing: readonly Tool[]
}

/** Answers requests of the agent protocol over HTTP, each on its own. */
export class AgentProtocol {
  #handler: Promise<McpHttpHandler> | undefined
  #hosts: readonly string[] | undefined
  #kept: { plans: Plans; names: ClientNames } | undefined

  async answer({
    scope,
    body: wire,
    query,
    origin: { baseUrl, refusal },
  }: Call<Wire, ProtocolInput>): Promise<OperationResponse> {
    this.#hosts ??= config.get<string[]>('agents.hosts')
    requireOwnAddress(wire.headers, baseUrl, this.#hosts)
    const listing = toolsOf(query.tools)
    const read = messageIn(await readBody(wire.bytes, MAX_REQUEST))
    if (refusal && !(await isLetIn(read, listing, scope.organization.id))) throw refusal
    if ('fault' in read) return jsonAnswer(400, JSON.stringify(read.fault))
    const { message } = read
    requireBrief(message)
    await yieldToOthers()
    const { organization, actor, permissions } = scope
    const principal: Principal = { organization, actor, permissions }
    const call = plainCallOf(message, wire.headers, listing)
    const gone = new Gone(wire.bytes.socket)
    try {
      const response = call
        ? await this.#called(call, { principal, baseUrl, gone })
        : await this.#served(wire, message as Message | null, { principal, baseUrl, gone, listing })
      if (response.stream) response.stream.bytes.once('close', () => gone.forget())
      else gone.forget()
      return response
    } catch (error) {
      gone.forget()
      // A disconnected client reads no answer.
      if (error instanceof RequesterGone) return { status: 202 }
      throw error
    }
  }

  async #called(call: PlainCall, { principal, baseUrl, gone }: Sender): Promise<OperationResponse> {
    const caller = { ...this.#caller(principal, baseUrl, call.client), waiter: { signal: gone } }
    const response = await callTool(() => caller, call.tool, call.args)
    return jsonAnswer(200, messageWith(response, call))
  }

  /** Returns the answer of the SDK. */
  async #served(
    { headers }: Wire,
    message: Message | null,
    { principal, baseUrl, gone, listing }: Sender & { listing: readonly Tool[] }
  ): Promise<OperationResponse> {
    const { method, params } = message ?? {}
    if (method === 'subscriptions/listen') return notOffered(message!)
    const client = this.#clientOf(headers, principal)
    const sent: Sent = { principal, baseUrl, client, listing }
    const request = new Request(`${baseUrl || 'http://localhost'}/mcp`, {
      method: 'POST',
      headers: headersOf(headers),
      // Clients of the 2025 era cancel explicitly, and may close the connection earlier.
      ...(isOfToday(params) && { signal: gone.asSignal() }),
    })
    const handler = await (this.#handler ??= this.#makeHandler())
    const answered = await handler.fetch(request, {
      parsedBody: message,
      authInfo: { token: '', clientId: String(principal.actor.id), scopes: [], extra: { ...sent } },
    })
    const response = await answerOf(answered, params?._meta?.progressToken !== undefined)
    const name = method === 'initialize' ? params?.clientInfo?.name : undefined
    if (typeof name !== 'string' || response.status !== 200) return response
    const session = this.#own.names.sessionFor(principal, name)
    return { ...response, headers: { ...response.headers, 'mcp-session-id': session } }
  }

  async #makeHandler(): Promise<McpHttpHandler> {
    // Loaded with the first request that needs it, so that a service without agents does not pay
    // for it.
    const [{ createMcpHandler }, { makeServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./make_server.js'),
    ])
    return createMcpHandler(
      ({ authInfo }) => {
        const sent = authInfo!.extra as unknown as Sent
        return makeServer(
          (client) => this.#caller(sent.principal, sent.baseUrl, client ?? sent.client),
          sent.listing
        )
      },
      { maxRequestBodySize: MAX_REQUEST }
    )
  }

  #caller(principal: Principal, baseUrl: string, client: string | undefined): Caller {
    const { plans } = this.#own
    return { principal: asAgent(principal, client), baseUrl, executor, plans, clock }
  }

  /** Returns the name that a client gave at initialization, or else that of its program. */
  #clientOf(headers: IncomingHttpHeaders, principal: Principal): string | undefined {
    const session = headers['mcp-session-id']
    const named = typeof session === 'string' && this.#own.names.nameIn(principal, session)
    return named || headers['user-agent']?.split('/')[0]
  }

  get #own() {
    return (this.#kept ??= { plans: new Plans(cursors), names: new ClientNames(cursors) })
  }
}

/**
 * Returns whether a message is let in beyond the rate limits, because it calls something urgent.
 */
async function isLetIn(read: Read, listing: readonly Tool[], organizationId: string) {
  if ('fault' in read) return false
  const { method, params } = (read.message ?? {}) as Message
  if (method !== 'tools/call' || typeof params?.name !== 'string') return false
  const tool = toolIn(listing, params.name)
  if (!tool || !isUrgentCall(tool, params.arguments ?? {})) return false
  return quota.letsUrgentIn(organizationId)
}

/** Returns whether a request is of the present revision, whose marks every request carries. */
const isOfToday = (params: Message['params']) =>
  Object.keys(params?._meta ?? {}).some((name) => name.startsWith('io.modelcontextprotocol/'))

/** Detects that the other side of a connection left before the answer. */
class Gone {
  aborted = false
  #controller: AbortController | undefined
  readonly #leave = () => {
    this.aborted = true
    this.#controller?.abort()
  }

  constructor(private readonly socket: Socket) {
    socket.once('close', this.#leave)
  }

  forget(): void {
    this.socket.off('close', this.#leave)
  }

  asSignal(): AbortSignal {
    return (this.#controller ??= new AbortController()).signal
  }
}

function headersOf(given: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string' && name !== 'content-length') headers.set(name, value)
  }
  // A body without a type was read as JSON; the SDK would refuse it in words of its own.
  headers.set('content-type', JSON_TYPE)
  return headers
}

const jsonAnswer = (status: number, json: string): OperationResponse => ({
  status,
  raw: { bytes: json, contentType: JSON_TYPE },
  headers: { 'cache-control': 'no-store' },
})

/** Refuses subscriptions: the SDK would keep a stream open without ever sending anything. */
function notOffered({ id }: Message): OperationResponse {
  const error = { code: -32601, message: 'Method not found' }
  return jsonAnswer(404, JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error }))
}

/** @param hears whether the client asked for progress, which is sent as it happens */
async function answerOf(answered: Response, hears: boolean): Promise<OperationResponse> {
  const { status } = answered
  if (status === 406) {
    throw refuse('not_acceptable', {
      detail: `This responds with ${JSON_TYPE} and ${STREAM_TYPE}.`,
    })
  }
  if (status >= 500) throw new Error(`The protocol answered ${status}: ${await answered.text()}`)
  const isStream = answered.headers.get('content-type')?.startsWith(STREAM_TYPE) ?? false
  if (isStream && hears && answered.body) {
    const bytes = Readable.fromWeb(answered.body as ReadableStream)
    return { status, stream: { bytes, contentType: STREAM_TYPE } }
  }
  const text = await answered.text()
  if (text.length === 0) return { status }
  return jsonAnswer(status, isStream ? onlyMessage(text) : text)
}

/** Returns the only message of the stream with which older clients are answered. */
function onlyMessage(text: string): string {
  const lines = text.split(/\r?\n/).filter((line) => line.startsWith('data:'))
  return lines.map((line) => line.slice('data:'.length).trimStart()).join('\n')
}
