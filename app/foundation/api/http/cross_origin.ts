import type { HttpContext, Router } from '@adonisjs/core/http'
import type { AnyOperation } from '../operation/declaration.js'
import { routePattern } from '../operation/route_pattern.js'

/** Headers of responses that scripts of other origins may read. */
const EXPOSED = [
  ...['ETag', 'Link', 'Location', 'Content-Location', 'Content-Disposition', 'Repr-Digest'],
  ...[
    'Retry-After',
    'X-Request-Id',
    'Ignored-Fields',
    'Idempotent-Replayed',
    'Deprecation',
    'Sunset',
  ],
  ...['RateLimit', 'RateLimit-Policy', 'X-RateLimit-Limit', 'X-RateLimit-Remaining'],
  ...['X-RateLimit-Reset', 'Tus-Resumable', 'Upload-Offset', 'Upload-Length', 'Upload-Expires'],
].join(', ')

/** Seconds for which a browser may cache the response to a preflight. */
const MAX_AGE_S = '7200'

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

/** Returns whether an operation returns an HTML page, which scripts do not request. */
const isPage = ({ responses }: AnyOperation) =>
  Object.values(responses).some(({ contentType }) => contentType === 'text/html')

/**
 * Lets scripts of other origins use operations (CORS). Cookies are never allowed: a script can do
 * what its key can.
 */
export class CrossOrigin {
  constructor(private readonly origins: ReadonlySet<string>) {}

  /** Allows the origin of a request to read the response, even an error. */
  allow(operation: AnyOperation, http: HttpContext): void {
    if (this.origins.size > 0 && !isPage(operation)) this.#allow(http)
  }

  /** Responds to a preflight. Returns false for any other request. */
  answersPreflight(http: HttpContext): boolean {
    const { request, response } = http
    const isPreflight =
      request.method() === 'OPTIONS' && request.header('access-control-request-method')
    if (this.origins.size === 0 || !isPreflight) return false
    if (this.#allow(http)) {
      response.header('access-control-allow-methods', METHODS)
      response.header('access-control-max-age', MAX_AGE_S)
      const requested = request.header('access-control-request-headers')
      if (requested) response.header('access-control-allow-headers', requested)
    }
    response.status(204).send(null)
    return true
  }

  /** Adds routes for preflights to the paths of operations without an OPTIONS operation. */
  mount(operations: readonly AnyOperation[], router: Router): void {
    if (this.origins.size === 0) return
    const pathsOf = (all: readonly AnyOperation[]) =>
      new Set(all.flatMap(({ path, aliases = [] }) => [path, ...aliases]))
    const taken = pathsOf(operations.filter(({ method }) => method === 'OPTIONS'))
    for (const path of pathsOf(operations.filter((each) => !isPage(each))).difference(taken)) {
      for (const prefix of ['', '/v1']) {
        router.route(prefix + routePattern(path), ['OPTIONS'], (http: HttpContext) => {
          if (!this.answersPreflight(http)) http.response.status(204).send(null)
        })
      }
    }
  }

  #allow({ request, response }: HttpContext): boolean {
    response.vary('Origin')
    const origin = request.header('origin')
    if (origin === undefined || !this.origins.has(origin)) return false
    response.header('access-control-allow-origin', origin)
    response.header('access-control-expose-headers', EXPOSED)
    return true
  }
}
