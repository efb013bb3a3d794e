import type { components } from './generated/openapi.js'

/** The body of a response that refuses a request (RFC 9457). */
export type Problem = components['schemas']['Error']

/** A refused request. */
export class TarmacError extends Error {
  override readonly name = 'TarmacError'
  /** Absent if the response does not come from the service, but from a proxy. */
  readonly problem: Problem | undefined

  constructor(
    readonly response: Response,
    error: unknown
  ) {
    const problem = isProblem(error) ? error : undefined
    super(problem?.detail ?? problem?.title ?? `${response.status} ${response.statusText}`.trim())
    this.problem = problem
  }

  get status(): number {
    return this.response.status
  }

  /** The stable code of the problem, such as `not_found`. */
  get code(): string | undefined {
    return this.problem?.code
  }
}

function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && 'code' in error && 'status' in error
}

/** A result of the generated client. */
interface Result<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/** Returns the data of a result. @throws TarmacError for a refused request */
export async function orThrow<Data>(
  result: Result<Data> | Promise<Result<Data>>
): Promise<Exclude<Data, undefined>> {
  const { data, error, response } = await result
  if (!response.ok) throw new TarmacError(response, error)
  return data as Exclude<Data, undefined>
}
