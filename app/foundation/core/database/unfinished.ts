import { type Problem, refuse } from '../problems/problem.js'

/** Broken constraints, and transactions to be tried again. */
const RULE = /^(23|40)/

/** Server states in which a COMMIT is left unanswered. */
const ENDING = new Set(['40003', '57P01', '57P02', '57P03', '57P05'])

/**
 * What a COMMIT that failed means for whoever asked. A rule of the schema, or a conflict
 * that may be tried again, stays what it is.
 */
export function commitFailed(error: unknown): unknown {
  const { code } = error as { code?: string }
  if (isAnswered(code)) return isRule(code) ? error : notStored(error)
  return refuse('outcome_unknown', {
    detail: 'The database did not answer whether this was stored.',
    headers: { 'retry-after': '5' },
    cause: error,
  })
}

/** Whether nobody knows if a write was done: then nothing that it may name is taken back. */
export function isOutcomeUnknown(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'outcome_unknown'
}

/** Nothing was stored. */
export function notStored(cause: unknown): Problem {
  return refuse('not_stored', {
    detail: 'The database did not store this; nothing was changed.',
    headers: { 'retry-after': '5' },
    cause,
  })
}

/** Who waits in line for too long is refused, and nothing was begun. */
export function waitedTooLong(): Problem {
  return refuse('not_ready', {
    detail: 'Too many writes to the same thing are waiting.',
    headers: { 'retry-after': '5' },
  })
}

/** Who still waits when a service that stops has waited long enough; nothing was begun. */
export function serviceEnds(): Problem {
  return refuse('not_ready', {
    detail: 'The service is ending.',
    headers: { 'retry-after': '5' },
  })
}

/** Whether the database itself said no, rather than falling silent. */
function isAnswered(code: string | undefined): code is string {
  if (code === undefined || ENDING.has(code)) return false
  return code.startsWith('SQLITE_') || (/^[0-9A-Z]{5}$/.test(code) && !code.startsWith('08'))
}

function isRule(code: string): boolean {
  return code.startsWith('SQLITE_CONSTRAINT') || RULE.test(code)
}
