import { declarationOf, type ProblemCode } from './catalog.js'

/** One error in a request, with its location. */
export interface ProblemPlace {
  /** JSON pointer into the body. */
  pointer?: string
  /** Name of a query, path or header parameter. */
  parameter?: string
  /** Path into a YAML file, or a column of a CSV file, with its position counted from 1. */
  path?: string
  line?: number
  column?: number
  code: string
  message: string
  suggestion?: string
}

/** The current status and the allowed actions: both, or neither if no status is involved. */
type StateMembers =
  | { currentStatus: string; allowedActions: readonly string[] }
  | { currentStatus?: undefined; allowedActions?: undefined }

type ProblemExtras = StateMembers & {
  /** The facts of the case. */
  detail?: string
  /**
   * The remedy for people; it follows the detail. Agents get a list of what is missing
   * instead, because they follow any instruction they read.
   */
  remedy?: string
  errors?: ProblemPlace[]
  /** Seconds before a retry, instead of the default of the code; null if a retry is pointless. */
  retryAfter?: number | null
  /** Additional headers of the response. */
  headers?: Record<string, string>
  /** The underlying error, for the log only. */
  cause?: unknown
  /** True if the refusal is about the host of the request. */
  isHostRefused?: boolean
  /** Additional members of the problem that only some codes have. */
  members?: Record<string, unknown>
}

/** Default seconds before a retry, by code. */
const RETRY_AFTER: Partial<Record<ProblemCode, number>> = {
  request_running: 5,
  not_ready: 5,
  not_stored: 5,
  file_unavailable: 5,
  outcome_unknown: 5,
}

/** An expected failure with a stable code; the error boundary renders it as problem+json. */
export class Problem extends Error {
  readonly status: number

  constructor(
    readonly code: ProblemCode,
    readonly extras: ProblemExtras = {}
  ) {
    const [status, title] = declarationOf(code)
    super([extras.detail ?? title, extras.remedy].filter(Boolean).join(' '), {
      cause: extras.cause,
    })
    this.status = status
  }

  /** Seconds before a retry may succeed; null if it never will, or if that is unknown. */
  get retryAfter(): number | null {
    const { retryAfter = RETRY_AFTER[this.code] ?? null } = this.extras
    return retryAfter
  }

  /** The headers of the response. */
  get headers(): Record<string, string> {
    const { retryAfter } = this
    return {
      ...this.extras.headers,
      ...(retryAfter === null ? {} : { 'retry-after': String(retryAfter) }),
    }
  }
}

/** Creates a problem. Throwing it rolls the transaction back. */
export function refuse(code: ProblemCode, extras: ProblemExtras = {}): Problem {
  return new Problem(code, extras)
}

/** Creates a 422 for a single invalid field of the body. */
export function refuseField(pointer: string, code: string, message: string): Problem {
  return new Problem('invalid_input', { detail: message, errors: [{ pointer, code, message }] })
}

/** Creates one 422 for all errors of an input. */
export function refuseFields(errors: readonly ProblemPlace[]): Problem {
  return new Problem('invalid_input', { detail: summaryOf(errors), errors: [...errors] })
}

/** Summarizes the errors in one sentence. */
export function summaryOf(places: readonly ProblemPlace[]): string {
  return places.length === 1
    ? places[0].message
    : `${places.length} fields are broken; the first: ${places[0].message}`
}

/**
 * Returns the problem as its JSON body (RFC 9457; `error` repeats `detail` for existing clients).
 */
export function renderProblem(problem: Problem, requestId: string, baseUrl: string) {
  const [status, title] = declarationOf(problem.code)
  const { currentStatus, allowedActions, errors, members } = problem.extras
  return {
    type: `${baseUrl}/problems/${problem.code}`,
    title,
    status,
    detail: problem.message,
    // The request identifies the occurrence; the path would reveal which foreign ids exist.
    instance: `urn:request:${requestId}`,
    code: problem.code,
    requestId,
    error: problem.message,
    errors: errors ?? [],
    ...(currentStatus === undefined ? {} : { currentStatus }),
    ...(allowedActions === undefined ? {} : { allowedActions }),
    ...members,
  }
}

/** The entity has another path now. The error boundary responds with 308. */
export class Moved extends Error {
  constructor(
    readonly from: string,
    readonly to: string
  ) {
    super('Moved')
  }
}
