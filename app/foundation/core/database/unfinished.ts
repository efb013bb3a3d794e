import { type Problem, refuse } from '../problems/problem.js'

/** SQLSTATE classes of violated constraints and of transactions to retry. */
const RULE = /^(23|40)/

/** SQLSTATEs of a server that leaves a COMMIT unanswered. */
const ENDING = new Set(['40003', '57P01', '57P02', '57P03', '57P05'])

/**
 * Translates a failed COMMIT for the caller. A violated constraint, or a conflict that may be
 * retried, stays what it is.
 */
export function commitFailed(error: unknown): unknown {
  const { code } = error as { code?: string }
  if (isAnswered(code)) return isRule(code) ? error : notStored(error)
  return refuse('outcome_unknown', {
    detail: 'The database did not confirm whether this was stored.',
    cause: error,
  })
}

/**
 * Returns whether the outcome of a write is unknown. If so, nothing it may refer to is removed.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'outcome_unknown'
}

/** Returns the problem of a write of which nothing was stored. */
export function notStored(cause: unknown): Problem {
  return refuse('not_stored', {
    detail: 'The database did not store this; nothing was changed.',
    cause,
  })
}

/** Returns the problem of a request that waited too long in line; nothing was begun. */
export function waitedTooLong(): Problem {
  return refuse('not_ready', {
    detail: 'Too many writes to the same thing are waiting.',
  })
}

/**
 * Returns the problem of a request that still waits when a stopping service has waited long enough;
 * nothing was begun.
 */
export function serviceEnds(): Problem {
  return refuse('not_ready', {
    detail: 'The service is shutting down.',
  })
}

/** Returns whether the database answered with an error rather than not at all. */
function isAnswered(code: string | undefined): code is string {
  if (code === undefined || ENDING.has(code)) return false
  return code.startsWith('SQLITE_') || (/^[0-9A-Z]{5}$/.test(code) && !code.startsWith('08'))
}

function isRule(code: string): boolean {
  return code.startsWith('SQLITE_CONSTRAINT') || RULE.test(code)
}
