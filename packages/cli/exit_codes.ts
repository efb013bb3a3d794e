import { TarmacError } from '@tarmac/client'

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

/** Ends the program with one sentence and an exit code. */
export class Failure extends Error {
  constructor(
    readonly exit: number,
    message: string,
    /** Further lines, such as what is wrong with each field. */
    readonly lines: readonly string[] = []
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

/** Returns how the program ends after an error. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof TarmacError) {
    const { status, message, problem } = error
    const lines = (problem?.errors ?? []).map(
      ({ pointer, parameter, message: each, line }) =>
        `${line === undefined ? '' : `line ${line}: `}${pointer ?? parameter ?? ''} ${each}`
    )
    const hint = status === 401 ? ' Run "tarmac login".' : ''
    return new Failure(BY_STATUS[status] ?? EXIT.failed, message + hint, lines)
  }
  const { message, cause } = error as Error & { cause?: Error }
  // fetch tells in the cause why it failed.
  return new Failure(EXIT.failed, cause?.message ? `${message}: ${cause.message}` : message)
}
