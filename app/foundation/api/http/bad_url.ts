import type { IncomingMessage, ServerResponse } from 'node:http'
import { refuse } from '../../core/problems/problem.js'
import { endWithProblem } from './plain_problem.js'

/**
 * Answers a request with an undecodable path, which never reaches a route or the error boundary.
 */
export function refuseBadUrl(
  request: IncomingMessage,
  response: ServerResponse,
  publicUrl: string
): void {
  const detail = 'The path holds a percent sign that starts no character of UTF-8.'
  endWithProblem(request, response, refuse('malformed_request', { detail }), publicUrl)
}
