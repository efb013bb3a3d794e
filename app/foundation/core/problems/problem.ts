import { declarationOf, type ProblemCode } from './catalog.js'

/** One broken place in a request. */
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
   * The remedy that people have; it follows the detail. Agents get a list of what is missing
   * instead, because they would follow any instruction they read.
   */
  remedy?: string
  errors?: ProblemPlace[]
  /** Seconds until a repetition may succeed, instead of those of the code; null if it never will. */
  retryAfter?: number | null
  /** Further headers of the answer. */
  headers?: Record<string, string>
  /** The underlying error, for the log only. */
  cause?: unknown
  /** True if the refusal is about the host of the request. */
  isHostRefused?: boolean
  /** Further members of the problem, for single codes. */
  members?: Record<string, unknown>
}

/** Seconds after which a request that failed with this code is repeated, unless the case says so. */
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

  /** Seconds until a repetition may succeed; null if it never will, or nobody can tell. */
  get retryAfter(): number | null {
    const { retryAfter = RETRY_AFTER[this.code] ?? null } = this.extras
    return retryAfter
  }

  /** The headers of the answer. */
  get headers(): Record<string, string> {
    const { retryAfter } = this
    return {
      ...this.extras.headers,
      ...(retryAfter === null ? {} : { 'retry-after': String(retryAfter) }),
    }
  }
}

/** Makes a problem to throw, so that the transaction around it rolls back. */
export function refuse(code: ProblemCode, extras: ProblemExtras = {}): Problem {
  return new Problem(code, extras)
}

/** Makes a 422 for a single broken body field. */
export function refuseField(pointer: string, code: string, message: string): Problem {
  return new Problem('invalid_input', { detail: message, errors: [{ pointer, code, message }] })
}

/** Makes one 422 for all broken places of an input. */
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
    // The occurrence is the request itself: the path would distinguish foreign from absent.
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

/** The entity lives under another path now; the error boundary answers 308. */
export class Moved extends Error {
  constructor(
    readonly from: string,
    readonly to: string
  ) {
    super('Moved')
  }
}
