import type { IncomingMessage, ServerResponse } from 'node:http'
import { refuse, renderProblem } from '../../core/problems/problem.js'
import { acceptedId } from './request_id.js'

/** Answers a request whose path does not decode, which no route and no boundary ever sees. */
export function refuseBadUrl(
  request: IncomingMessage,
  response: ServerResponse,
  publicUrl: string
): void {
  const id = acceptedId(request.headers['x-request-id'])
  const problem = refuse('malformed_request', {
    detail: 'The path holds a percent sign that starts no character of UTF-8.',
  })
  response.writeHead(problem.status, {
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': id,
    'connection': 'close',
  })
  const base = publicUrl || `http://${request.headers.host ?? ''}`
  response.end(JSON.stringify(renderProblem(problem, id, base)))
}
