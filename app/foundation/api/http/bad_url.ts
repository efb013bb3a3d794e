import type { IncomingMessage, ServerResponse } from 'node:http'
import { refuse } from '../../core/problems/problem.js'
import { endWithProblem } from './plain_problem.js'

/**
 * Refuses a request with an undecodable path, which reaches neither a route nor the error boundary.
 */
export function refuseBadUrl(
  request: IncomingMessage,
  response: ServerResponse,
  publicUrl: string
): void {
  const detail = 'The path contains a percent sign that does not start a UTF-8 character.'
  endWithProblem(request, response, refuse('malformed_request', { detail }), publicUrl)
}
