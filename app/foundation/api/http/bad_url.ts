import type { IncomingMessage, ServerResponse } from 'node:http'
import { refuse } from '../../core/problems/problem.js'
import { endWithProblem } from './plain_problem.js'

/** Answers a request whose path does not decode, which no route and no boundary ever sees. */
export function refuseBadUrl(
  request: IncomingMessage,
  response: ServerResponse,
  publicUrl: string
): void {
  const detail = 'The path holds a percent sign that starts no character of UTF-8.'
  endWithProblem(request, response, refuse('malformed_request', { detail }), publicUrl)
}
