import { Problem } from '#foundation/core/problems/problem'

/** Problem codes for failures of a provider. */
const PROVIDER_CODES: readonly string[] = ['provider_error']

/**
 * Returns the problem by which people were refused something.
 * @throws any other error: a failure of the service itself ends the rehearsal
 */
export function refusalOf(error: unknown): Problem {
  const isRefusal =
    error instanceof Problem && (error.status < 500 || PROVIDER_CODES.includes(error.code))
  if (isRefusal) return error
  throw error
}
