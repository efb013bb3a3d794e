import { TarmacError, type Problem } from '@tarmac/client'
import { faultOf, inOptions } from './words.js'

/** Exit codes, which README.md lists. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  signedOut: 3,
  forbidden: 4,
  notFound: 5,
  notReady: 6,
  timedOut: 7,
} as const

/** Exit codes of a program that a signal ended: 128 and its number (SIGINT, SIGPIPE). */
export const ENDED_BY = { interrupt: 130, closedPipe: 141 } as const

/** Ends the program with one sentence and an exit code. */
export class Failure extends Error {
  constructor(
    readonly exit: number,
    message: string,
    /** Further lines, such as what is wrong with each field. */
    readonly lines: readonly string[] = [],
    /** Refusal of the service. */
    readonly problem?: Problem
  ) {
    super(message)
  }
}

const BY_STATUS: Readonly<Record<number, number>> = {
  400: EXIT.usage,
  401: EXIT.signedOut,
  403: EXIT.forbidden,
  404: EXIT.notFound,
  409: EXIT.notReady,
  410: EXIT.notFound,
  412: EXIT.notReady,
  413: EXIT.usage,
  415: EXIT.usage,
  422: EXIT.usage,
  428: EXIT.notReady,
}

/**
 * Returns whether a retry may succeed: the connection broke, or the service is busy or unavailable.
 */
export const isPassing = (error: unknown) =>
  error instanceof TarmacError
    ? error.status >= 500 || error.status === 429 || error.code === 'request_running'
    : error instanceof TypeError

/** The first of several problems at the end of a summary; the lines below it have them all. */
const FIRST = /(?:, the first at .*?|; the first): .*$/s

/** Returns the message and exit code of the program for an error. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof TarmacError) {
    const { status, problem } = error
    const exit = BY_STATUS[status] ?? EXIT.failed
    const lines = (problem?.errors ?? []).map(({ path, message: each, line }) =>
      // Positions are of a file; without one, the message names its field.
      line === undefined ? faultOf(each) : `line ${line}: ${path ? `${path}: ` : ''}${each}`
    )
    // A single problem replaces the summary, which would only repeat it.
    if (lines.length === 1) return new Failure(exit, lines[0], [], problem)
    const message = inOptions(error.message, error.code)
    if (lines.length > 1) return new Failure(exit, message.replace(FIRST, ':'), lines, problem)
    return new Failure(exit, `${message.replace(/\.$/, '')}${hintOf(error)}.`, [], problem)
  }
  const { message, cause } = error as Error & { cause?: Error }
  // The reason of a fetch error is in its cause.
  return new Failure(EXIT.failed, cause?.message ? `${message}: ${cause.message}` : message)
}

/**
 * Adds the missing resource, or the remedy for an invalid key; not for a CI job, where signing in
 * does not help.
 */
function hintOf({ status, response }: TarmacError): string {
  const { TARMAC_API_KEY, CI } = process.env
  if (status === 401) return TARMAC_API_KEY || CI ? '' : '. Run "tarmac login"'
  const [, id] =
    /\/(?:releases?|app)\/([^/?]+:[^/?]+|[^/?]+)(?!.*\/releases?\/)/.exec(response.url) ?? []
  return status === 404 && id ? `: ${decodeURIComponent(id)}` : ''
}
