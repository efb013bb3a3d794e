import { Problem } from '#foundation/core/problems/problem'

/** Problem codes about a provider that the service asked. */
const OF_PROVIDERS: readonly string[] = ['provider_error']

/**
 * Why people were refused something. A failure of the service itself is no refusal, and ends the
 * rehearsal. @throws it
 */
export function refusalOf(error: unknown): Problem {
  const isRefusal =
    error instanceof Problem && (error.status < 500 || OF_PROVIDERS.includes(error.code))
  if (isRefusal) return error
  throw error
}
