import type { HttpContext } from '@adonisjs/core/http'
import type { Authenticator } from '../authenticator.js'
import { select } from '../../core/database/reader.js'
import { retryDeadlocks } from '../../core/database/retry_deadlocks.js'
import type { Standing, UnitOfWork } from '../../core/database/unit_of_work.js'
import type { Quota } from '../limits/quota.js'
import type { Answer } from '../operation/answer.js'
import { isWrite, type AnyOperation, type Call } from '../operation/declaration.js'
import type { OperationRegistry } from '../operation/registry.js'
import { refuse } from '../../core/problems/problem.js'
import type { Scope } from '../../core/scope.js'
import { entityTag, namesTag } from './entity_tag.js'
import {
  exclusively,
  findKept,
  fingerprint,
  idempotencyKey,
  keep,
  type IdempotentRequest,
  type KeptAnswer,
} from './idempotency.js'
import { demandPlain } from './plain_json.js'
import { KeyedQueue } from './queue.js'
import { mediaType, parseJson, readBody } from './read_body.js'
import { readSmallFile } from './read_file.js'
import { render, respond, type Rendered } from './respond.js'
import { requestId } from './request_id.js'
import { validateBody, validateQuery } from './validate.js'

const JSON_LIMIT = 1024 * 1024
const APP = select(['id'], 'from apps where organization_id = :org and id = :id')
const MOST_WAITING_WRITES = 100

/** What the body was, before and after it was understood. */
interface ReadInput {
  value: unknown
  bytes: Buffer
}

export interface PipelineParts {
  authenticator: Authenticator
  quota: Quota
  unitOfWork: UnitOfWork
  operations: OperationRegistry
  requireHttps: boolean
  /** Whether the service is shutting down or still starting. */
  ready: () => boolean
}

/**
 * What every operation goes through, in this order: transport, key, quota, where it
 * points, whether it may, input, then its handler; for a write inside one transaction
 * with its idempotency record.
 */
export class Pipeline {
  readonly #writes = new KeyedQueue(MOST_WAITING_WRITES)

  constructor(private readonly parts: PipelineParts) {}

  async serve(operation: AnyOperation, http: HttpContext): Promise<void> {
    requestId(http)
    this.#checkTransport(operation, http)
    const params = this.#params(http)

    if (operation.access.kind === 'open') {
      const call = { scope: undefined, params, body: undefined, query: undefined, http }
      const answer = await handlerOf(operation)(call as unknown as Call<unknown, unknown>)
      return respond(http, render(answer), http.request.header('if-none-match'))
    }

    const standing = await this.#authenticate(http)
    await this.#countRequest(standing, http)
    // A path without an organization means the key's own.
    if (operation.path.includes('{orgId}')) params.orgId ??= standing.organization.id
    this.#checkOrganization(standing, params)

    if (!isWrite(operation)) {
      const scope = this.parts.unitOfWork.reading(standing)
      await this.#checkApp(operation, scope, params)
      this.#checkAccess(operation, scope)
      const query = await this.#query(operation, http)
      const answer = await handlerOf(operation)({ scope, params, body: undefined, query, http })
      const rendered = render(answer)
      this.#linkCanonical(operation, http, params, rendered)
      return respond(http, rendered, http.request.header('if-none-match'))
    }

    // Refusals that need no body come before it is read.
    const scope = this.parts.unitOfWork.reading(standing)
    try {
      await this.#checkApp(operation, scope, params)
    } catch (refusal) {
      const kept = await this.#keptAnswer(operation, standing, http)
      if (!kept) throw refusal
      return respond(http, kept, undefined)
    }
    this.#checkAccess(operation, scope)
    const query = await this.#query(operation, http)
    const input = await this.#body(operation, http)
    const rendered = await this.#write(operation, standing, { params, query, input, http })
    this.#linkCanonical(operation, http, params, rendered)
    respond(http, rendered, undefined)
  }

  async #write(
    operation: AnyOperation,
    standing: Standing,
    given: {
      params: Record<string, string>
      query: unknown
      input: ReadInput
      http: HttpContext
    }
  ): Promise<Rendered> {
    const { params, query, input, http } = given
    const ifMatch = http.request.header('if-match')
    if (operation.precondition && standing.organization.requireIfMatch && !ifMatch) {
      throw refuse('precondition_required', {
        detail: 'This organization asks for If-Match on every write to an entity.',
      })
    }
    const request = idempotentRequest(operation, http, input.bytes)

    const attempt = () =>
      this.parts.unitOfWork.writing(standing, async (scope) => {
        if (request) {
          const kept = await findKept(scope, request)
          if (kept) return replayed(kept)
        }
        await this.#lockTarget(scope, params)
        if (operation.precondition && ifMatch) {
          const tag = await this.#tagOf(operation, { scope, params, query, http })
          if (!namesTag(ifMatch, tag, false)) {
            throw refuse('precondition_failed', {
              detail: 'If-Match does not name the present state; read it again.',
              headers: { etag: tag },
            })
          }
        }
        const call = { scope, params, body: input.value, query, http }
        const rendered = render(await handlerOf(operation)(call))
        if (operation.precondition && rendered.status === 200) {
          // The bytes of a write need not be those of its GET, so the tag is taken there.
          rendered.headers.etag = await this.#tagOf(
            operation,
            { scope, params, query, http },
            rendered
          )
        }
        if (request) {
          const { status, headers, bytes } = rendered
          await keep(scope, request, { status, headers, body: bytes.toString() })
        }
        return rendered
      })

    const target = params.appId ?? standing.organization.id
    return exclusively(standing.organization.id, request, () =>
      this.#writes.run(target, () => retryDeadlocks(attempt))
    )
  }

  /** The first answer of a repeated request whose app its first run removed. */
  async #keptAnswer(
    operation: AnyOperation,
    standing: Standing,
    http: HttpContext
  ): Promise<Rendered | null> {
    if (http.request.header('idempotency-key') === undefined || operation.body) return null
    const request = idempotentRequest(operation, http, Buffer.alloc(0))!
    const kept = await this.parts.unitOfWork.writing(standing, (scope) => findKept(scope, request))
    return kept && replayed(kept)
  }

  #checkTransport(operation: AnyOperation, http: HttpContext) {
    if (!this.parts.ready() && !operation.whileEnding) {
      throw refuse('not_ready', { headers: { 'retry-after': '5', 'connection': 'close' } })
    }
    if (this.parts.requireHttps && operation.access.kind !== 'open' && !http.request.secure()) {
      throw refuse('https_required')
    }
    const accept = http.request.header('accept')
    if (accept && !accept.includes('*/*') && !accept.includes('application/problem+json')) {
      const types = Object.values(operation.answers).flatMap((answer) =>
        answer.schema || answer.contentType ? (answer.contentType ?? 'application/json') : []
      )
      if (types.length > 0 && http.request.accepts(types) === null) {
        throw refuse('not_acceptable', { detail: `This answers as ${types.join(' or ')}.` })
      }
    }
  }

  #params(http: HttpContext): Record<string, string> {
    const params = http.request.params() as Record<string, string>
    for (const value of Object.values(params)) {
      // No id holds one, and PostgreSQL refuses it as text.
      if (value.includes('\0')) throw refuse('not_found')
    }
    return params
  }

  async #authenticate(http: HttpContext): Promise<Standing> {
    const key = http.request.header('x-api-key')
    const standing = key ? await this.parts.authenticator.authenticate(key) : 'key_missing'
    if (typeof standing !== 'string') return standing
    const blocked = await this.parts.quota.countFailure(http.request.ip())
    if (blocked) throw blocked
    throw refuse(standing, {
      headers: { 'www-authenticate': 'ApiKey realm="api", header="X-API-Key"' },
    })
  }

  async #countRequest(standing: Standing, http: HttpContext) {
    const { refusal, headers } = await this.parts.quota.take(standing.organization.id)
    for (const [name, value] of Object.entries(headers)) http.response.header(name, value)
    if (refusal) throw refusal
  }

  #checkOrganization(standing: Standing, params: Record<string, string>) {
    if (params.orgId !== undefined && params.orgId !== standing.organization.id) {
      throw refuse('not_found')
    }
  }

  /** An app outside of the key's scope cannot be seen by reading; writing says why not. */
  async #checkApp(operation: AnyOperation, scope: Scope, params: Record<string, string>) {
    if (params.appId === undefined) return
    const [app] = await scope.read(APP, { id: params.appId })
    if (!app) throw refuse('not_found')
    if (scope.sees(params.appId)) return
    if (!isWrite(operation)) throw refuse('not_found')
    throw refuse('app_scope_missing', { detail: 'The app scopes of the key do not hold this app.' })
  }

  #checkAccess(operation: AnyOperation, scope: Scope) {
    const { access } = operation
    const mayOwn = access.kind === 'actions' && access.orOwner && scope.hasGroups
    if (access.kind === 'actions' && !mayOwn) scope.demand(...access.anyOf)
    if (access.kind === 'admin' && !scope.permissions.admin) throw refuse('admin_required')
  }

  async #query(operation: AnyOperation, http: HttpContext): Promise<unknown> {
    if (!operation.query) return undefined
    const url = http.request.request.url ?? ''
    const search = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '')
    for (const [name, value] of search) {
      if (value.includes('\0') || name.includes('\0')) {
        throw refuse('invalid_query', { detail: 'A query parameter holds a NUL character.' })
      }
    }
    return validateQuery(operation.query, search)
  }

  async #body(operation: AnyOperation, http: HttpContext): Promise<ReadInput> {
    const declared = operation.body as AnyOperation['body'] | undefined
    const incoming = http.request.request
    if (!declared) return { value: undefined, bytes: Buffer.alloc(0) }

    const type = mediaType(incoming.headers['content-type'])
    const expected = (types: readonly string[]) => {
      if (types.includes(type)) return
      throw refuse('unsupported_media_type', {
        detail: `Send ${types.join(' or ')}${type ? `, not ${type}` : ''}.`,
        headers: { accept: types.join(', '), connection: 'close' },
      })
    }

    if (declared.kind === 'json') {
      const isEmpty =
        !incoming.headers['transfer-encoding'] && !Number(incoming.headers['content-length'] ?? 0)
      if (declared.optional && isEmpty) {
        return { value: await validateBody(declared.validator, {}), bytes: Buffer.alloc(0) }
      }
      expected(['application/json'])
      const bytes = await readBody(incoming, JSON_LIMIT)
      const parsed = parseJson(bytes)
      demandPlain(parsed)
      return { value: await validateBody(declared.validator, parsed), bytes }
    }

    if (declared.kind === 'yaml') {
      expected([...YAML_TYPES, 'multipart/form-data'])
      const file =
        type === 'multipart/form-data'
          ? await readSmallFile(incoming, declared.maxBytes)
          : { bytes: await readBody(incoming, declared.maxBytes), contentType: type }
      return { value: await declared.read(file), bytes: file.bytes }
    }

    expected(['multipart/form-data'])
    const file = await readSmallFile(incoming, declared.maxBytes)
    return { value: await declared.read(file), bytes: file.bytes }
  }

  /** Writes to one app, or to one organization, follow each other: no lost update, no deadlock. */
  async #lockTarget(scope: Scope, params: Record<string, string>) {
    if (scope.client.dialect.name !== 'postgres') return
    const found =
      params.appId === undefined
        ? await scope.client
            .from('organizations')
            .where('id', scope.organization.id)
            .select('id')
            .forUpdate()
            .first()
        : await scope.table('apps').where('id', params.appId).select('id').forUpdate().first()
    if (!found) throw refuse('not_found')
  }

  /** The tag of the representation that the operation's precondition speaks of. */
  async #tagOf(
    operation: AnyOperation,
    call: { scope: Scope; params: Record<string, string>; query: unknown; http: HttpContext },
    written?: Rendered
  ): Promise<string> {
    const { of, query } = operation.precondition!
    const target = this.parts.operations.get(of)
    const asked = query?.(call.params, call.query as never) ?? {}
    const location = written?.headers.location ?? written?.headers['content-location']
    const params = location ? { ...call.params, ...paramsOf(target.path, location) } : call.params
    const answer = await handlerOf(target)({
      ...call,
      params,
      body: undefined,
      query: target.query
        ? await validateQuery(target.query, new URLSearchParams(asked))
        : undefined,
    })
    return entityTag(render(answer).bytes)
  }

  #linkCanonical(
    operation: AnyOperation,
    http: HttpContext,
    params: Record<string, string>,
    rendered: Rendered
  ) {
    const pattern = http.route?.pattern.replace(/^\/v1/, '') ?? ''
    const isAlias = operation.aliases?.some((alias) => routePattern(alias) === pattern)
    if (!isAlias) return
    const canonical = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params[name])
    )
    rendered.headers.link = `<${canonical}>; rel="canonical"`
  }
}

const YAML_TYPES = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/plain']

/** The path of a declaration in the router's own form. */
export function routePattern(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

function paramsOf(pattern: string, path: string): Record<string, string> {
  const names = pattern.split('/')
  const values = path.split('/')
  return Object.fromEntries(
    names.flatMap((name, index) =>
      name.startsWith('{') && values[index] !== undefined
        ? [[name.slice(1, -1), decodeURIComponent(values[index])]]
        : []
    )
  )
}

/** What makes a write repeatable, where the client asks for it. */
function idempotentRequest(
  operation: AnyOperation,
  http: HttpContext,
  bytes: Buffer
): IdempotentRequest | null {
  const key = idempotencyKey(http.request.request.headers['idempotency-key'])
  if (!key) return null
  return {
    key,
    method: operation.method,
    route: operation.path,
    fingerprint: fingerprint(http.request.url(true).replace(/^\/v1/, ''), bytes),
  }
}

function replayed(kept: KeptAnswer): Rendered {
  const headers = { ...kept.headers, 'idempotent-replayed': 'true' }
  return { status: kept.status, headers, bytes: kept.body }
}

type AnyHandler = (call: Call<unknown, unknown>) => Promise<Answer>

function handlerOf(operation: AnyOperation): AnyHandler {
  return operation.handle as unknown as AnyHandler
}

/** The escape itself, not a backslash that was escaped before `u0000`. */
