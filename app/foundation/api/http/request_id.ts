import type { HttpContext } from '@adonisjs/core/http'
import { randomText } from '../../core/ids.js'

const VISIBLE = /^[\x21-\x7e]{1,128}$/

declare module '@adonisjs/core/http' {
  interface HttpContext {
    requestId: string
  }
}

/** Returns the client's request id if it is usable, otherwise a new one. */
export function acceptedId(given: string | string[] | undefined): string {
  return typeof given === 'string' && VISIBLE.test(given) ? given : `req_${randomText(20)}`
}

/** Returns the id of a request, which is added to every response. */
export function requestId(http: HttpContext): string {
  if (!http.requestId) {
    http.requestId = acceptedId(http.request.request.headers['x-request-id'])
    // The framework copies this header to the response when it sends it.
    http.request.request.headers['x-request-id'] = http.requestId
    http.response.header('x-request-id', http.requestId)
  }
  return http.requestId
}
