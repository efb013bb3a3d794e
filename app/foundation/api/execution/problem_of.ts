import { isDatabaseAway } from '../../core/database/away.js'
import { Problem, refuse } from '../../core/problems/problem.js'

/** Translates an error of a request into the problem that the client sees. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof URIError) return refuse('malformed_request')
  if (isDatabaseAway(error)) {
    return refuse('not_ready', {
      detail: 'The database does not respond.',
      cause: error,
    })
  }
  return refuse('internal_error', {
    detail: 'The service failed; the request id is in its log.',
    cause: error,
  })
}
