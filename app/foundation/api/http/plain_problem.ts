import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import { renderProblem, type Problem } from '../../core/problems/problem.js'
import { acceptedId } from './request_id.js'

/**
 * Returns the head and body of a problem for a request that never reaches the framework. The
 * connection is closed afterwards.
 * @param base address people reach the service at; empty if it is not known
 */
function plainProblem(problem: Problem, base: string, givenId?: string | string[]) {
  const id = acceptedId(givenId)
  const body = JSON.stringify(renderProblem(problem, id, base))
  const headers: Record<string, string> = {
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': id,
    'connection': 'close',
  }
  return { status: problem.status, headers, body }
}

/** Answers with a problem instead of handing the request on. */
export function endWithProblem(
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
  publicUrl: string
): void {
  const { host } = request.headers
  const isTrusted = host !== undefined && !problem.extras.isHostRefused
  const base = publicUrl || (isTrusted ? `http://${host}` : '')
  const { status, headers, body } = plainProblem(problem, base, request.headers['x-request-id'])
  response.writeHead(status, headers)
  response.end(body)
}

/**
 * Returns a problem as the bytes of an HTTP response, for a connection without a response object.
 */
export function problemBytes(problem: Problem, publicUrl: string): string {
  const { status, headers, body } = plainProblem(problem, publicUrl)
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`
}
