import { ExceptionHandler, errors as httpErrors, type HttpContext } from '@adonisjs/core/http'
import router from '@adonisjs/core/services/router'
import { Moved, refuse, renderProblem, type Problem } from '../../core/problems/problem.js'
import { problemOf } from '../execution/problem_of.js'
import { compressed } from './compress.js'
import { configuredUrl, publicUrl } from './public_url.js'
import { requestId } from './request_id.js'

const CONTENT_TYPE = 'application/problem+json; charset=utf-8'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Renders every error as problem+json, and logs unexpected ones. */
export default class ErrorBoundary extends ExceptionHandler {
  override async handle(error: unknown, http: HttpContext) {
    const id = requestId(http)
    if (error instanceof Moved) return this.#redirect(error, http)
    const problem = this.#problemOf(error, http)
    const { cause } = problem.extras
    if (problem.status >= 500 && cause !== undefined) {
      http.logger.error({ err: cause, requestId: id }, 'request failed')
    }
    for (const [name, value] of Object.entries(problem.headers)) {
      http.response.header(name, value)
    }
    // The rest of the body is not read, so the connection cannot be reused.
    if (!http.request.request.complete) http.response.header('connection', 'close')
    http.response.header('content-type', CONTENT_TYPE)
    http.response.header('cache-control', 'no-store')
    http.response.status(problem.status)
    const base = problem.extras.isHostRefused ? configuredUrl() : publicUrl(http)
    const bytes = Buffer.from(JSON.stringify(renderProblem(problem, id, base)))
    http.response.send(await compressed(http, CONTENT_TYPE, bytes))
  }

  /** Does nothing, because `handle` logs what matters. */
  override async report() {}

  /** Redirects to the same request at the entity's present id. */
  #redirect({ from, to }: Moved, http: HttpContext) {
    const [path, query] = (http.request.request.url ?? '').split('?', 2)
    const location = path
      .split('/')
      .map((segment) => (decodeURIComponent(segment) === from ? to : segment))
      .join('/')
    http.response.header('location', query === undefined ? location : `${location}?${query}`)
    http.response.status(308)
    http.response.send(null)
  }

  #problemOf(error: unknown, http: HttpContext): Problem {
    if (error instanceof httpErrors.E_ROUTE_NOT_FOUND) return this.#unrouted(http)
    return problemOf(error)
  }

  #unrouted(http: HttpContext): Problem {
    const path = http.request.url()
    const allowed = METHODS.filter((method) => {
      try {
        return router.match(path, method, true) !== null
      } catch {
        return false
      }
    })
    if (allowed.length === 0) {
      return refuse('not_found', { detail: 'There is no such path; see /docs.' })
    }
    const allow = allowed.join(', ')
    return refuse('method_not_allowed', {
      detail: `This path takes ${allow}.`,
      headers: { allow },
    })
  }
}
