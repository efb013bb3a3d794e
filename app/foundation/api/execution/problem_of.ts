import { isDatabaseAway } from '../../core/database/away.js'
import { Problem, refuse } from '../../core/problems/problem.js'

/** What was thrown while a request was carried out, as the problem that is told of it. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof URIError) return refuse('malformed_request')
  if (isDatabaseAway(error)) {
    return refuse('not_ready', {
      detail: 'The database does not answer.',
      headers: { 'retry-after': '5' },
      cause: error,
    })
  }
  return refuse('internal_error', {
    detail: 'The service failed; the request id is in its log.',
    cause: error,
  })
}
