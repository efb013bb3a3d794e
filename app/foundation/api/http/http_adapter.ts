import type { HttpContext } from '@adonisjs/core/http'
import type { ChangeNumbers } from '../../core/events/change_numbers.js'
import type { Principal } from '../../core/principal.js'
import type { Spool } from '../../core/files/spool.js'
import { refuse, type Problem } from '../../core/problems/problem.js'
import type { Authenticator } from '../authenticator.js'
import type { Executor } from '../execution/execute.js'
import { idempotencyKey } from '../execution/idempotency.js'
import { requireIds } from '../execution/moved_ids.js'
import type { Rendered } from '../execution/render.js'
import type { OperationRequest } from '../execution/request.js'
import type { Quota, QuotaDecision } from '../limits/quota.js'
import { limitGuesses } from '../limits/limit_guesses.js'
import { hasSecretAddress, isWrite, type AnyOperation } from '../operation/declaration.js'
import { ownParams } from '../operation/parameters.js'
import { routePattern } from '../operation/route_pattern.js'
import type { CrossOrigin } from './cross_origin.js'
import { announceEnd } from './announce_end.js'
import { publicUrl } from './public_url.js'
import { readInput } from './read_input.js'
import { requestId } from './request_id.js'
import { respond } from './respond.js'

interface HttpAdapterDependencies {
  authenticator: Authenticator
  quota: Quota
  changes: ChangeNumbers
  executor: Executor
  /** The folder where uploads arrive. */
  spool: Spool
  /** Absent if no other origin is allowed. */
  crossOrigin?: CrossOrigin
  requireHttps: boolean
  /** Returns false while the service is starting or shutting down. */
  ready: () => boolean
}

/**
 * An admitted principal, and the refusal of a request over the limits that may still turn out to be
 * urgent.
 */
interface Admitted {
  principal: Principal
  refusal: Problem | null
}

/** Serves operations over HTTP: reads the request, has it carried out and sends the response. */
export class HttpAdapter {
  constructor(private readonly dependencies: HttpAdapterDependencies) {}

  async serve(operation: AnyOperation, http: HttpContext): Promise<void> {
    requestId(http)
    if (operation.deprecated) announceEnd(http.response, operation.deprecated)
    const { executor, spool, crossOrigin } = this.dependencies
    if (crossOrigin?.answersPreflight(http)) return
    crossOrigin?.allow(operation, http)
    this.#checkTransport(operation, http)
    const request = requestOf(operation, http, spool)
    const ifNoneMatch = isWrite(operation) ? undefined : http.request.header('if-none-match')
    if (operation.access.kind === 'open') {
      const carriedOut = executor.executeOpen(operation, request)
      const rendered = hasSecretAddress(operation)
        ? await limitGuesses(this.dependencies.quota, http.request.ip(), carriedOut)
        : await carriedOut
      return respond(http, rendered, ifNoneMatch)
    }
    const { principal, refusal } = await this.#admit(operation, http)
    if (refusal) request.origin.refusal = refusal
    const rendered = await executor.execute(operation, principal, request)
    linkCanonical(operation, http, principal, rendered)
    await respond(http, rendered, ifNoneMatch)
  }

  #checkTransport(operation: AnyOperation, http: HttpContext) {
    if (!this.dependencies.ready() && !operation.whileEnding) {
      throw refuse('not_ready', { headers: { connection: 'close' } })
    }
    if (
      this.dependencies.requireHttps &&
      operation.access.kind !== 'open' &&
      !http.request.secure()
    ) {
      throw refuse('https_required')
    }
    const accept = http.request.header('accept')
    if (accept && !accept.includes('*/*') && !accept.includes('application/problem+json')) {
      const types = Object.values(operation.responses).flatMap((response) =>
        response.schema || response.contentType
          ? [response.contentType ?? 'application/json', ...(response.orTypes ?? [])]
          : []
      )
      const isPlain = accept.split(',').some((each) => types.includes(each.trim()))
      if (types.length > 0 && !isPlain && http.request.accepts(types) === null) {
        throw refuse('not_acceptable', { detail: `This responds with ${types.join(' or ')}.` })
      }
    }
  }

  /**
   * Authenticates and counts a request.
   * @returns a refusal only for an operation that decides itself whether the request is urgent
   * @throws any other refusal
   */
  async #admit(operation: AnyOperation, http: HttpContext): Promise<Admitted> {
    const { quota, changes } = this.dependencies
    let counting: Promise<QuotaDecision> | undefined
    const count = (organizationId: string) => {
      counting ??= operation.judgesUrgency
        ? quota.takeUnread(organizationId)
        : quota.take(organizationId, operation.isUrgent)
      counting.catch(() => {})
      return counting
    }
    const principal = await this.#authenticate(operation, http, async (organizationId) => {
      const isFirst = counting === undefined
      const counted = count(organizationId)
      const reported = isFirst && quota.reportsChanges ? (await counted).changes : undefined
      return reported ?? changes.of(organizationId)
    })
    const { refusal, headers } = await count(principal.organization.id)
    for (const [name, value] of Object.entries(headers)) http.response.header(name, value)
    if (refusal && !operation.judgesUrgency) throw refusal
    return { principal, refusal }
  }

  async #authenticate(
    { bearer }: AnyOperation,
    http: HttpContext,
    admit: (organizationId: string) => Promise<string>
  ): Promise<Principal> {
    const bearerToken =
      bearer && /^Bearer +(\S+)$/i.exec(http.request.header('authorization') ?? '')
    const key = http.request.header('x-api-key') ?? (bearerToken ? bearerToken[1] : undefined)
    const found = key
      ? await this.dependencies.authenticator.authenticate(key, admit)
      : 'key_missing'
    if (typeof found !== 'string') return found
    const blocked = await this.dependencies.quota.countFailure(http.request.ip())
    if (blocked) throw blocked
    const detail = found === 'key_missing' ? 'Send an API key in the header X-API-Key.' : undefined
    throw refuse(found, {
      detail,
      headers: { 'www-authenticate': 'ApiKey realm="api", header="X-API-Key"' },
    })
  }
}

function requestOf(operation: AnyOperation, http: HttpContext, spool: Spool): OperationRequest {
  const write = isWrite(operation) && operation.access.kind !== 'open'
  return {
    params: paramsOf(http),
    origin: { baseUrl: publicUrl(http), address: http.request.ip() },
    asked: write ? undefined : http.request.request.url,
    input: () => readInput(operation, http, spool),
    ifMatch: write ? http.request.header('if-match') : undefined,
    get idempotencyKey() {
      return write ? idempotencyKey(http.request.request.headers['idempotency-key']) : null
    },
  }
}

function paramsOf(http: HttpContext): Record<string, string> {
  const params = http.request.params() as Record<string, string>
  requireIds(params)
  return params
}

/** Links a response under an alias of a path to the canonical path. */
function linkCanonical(
  operation: AnyOperation,
  http: HttpContext,
  principal: Principal,
  rendered: Rendered
) {
  const pattern = http.route?.pattern.replace(/^\/v1/, '') ?? ''
  if (!operation.aliases?.some((alias) => routePattern(alias) === pattern)) return
  const params = ownParams(operation, principal, http.request.params())
  const canonical = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name])
  )
  rendered.headers.link = `<${canonical}>; rel="canonical"`
}
