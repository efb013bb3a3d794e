import type { Instant } from '../clock.js'
import type { StatementRunner } from '../database/runner.js'
import { change, of, select } from '../database/statement.js'
import type { RowOf } from '../database/table.js'
import { giveTurn } from './entity_turns.js'
import { jobs } from './tables.js'

/** A job that a worker carries out, until its lease ends. */
export type Claim = Omit<RowOf<typeof jobs>, 'claimId' | 'visibleAt'> & {
  claimId: string
  /** The end of the lease. */
  visibleAt: Instant
}

/** The end of an attempt at a job. */
export type End =
  | { how: 'done' }
  /** The job is to be done again, as planned. */
  | { how: 'again'; at: Instant; intervalMs?: number }
  /** The attempt failed and will be retried; `isKnown` if it certainly had no effect. */
  | { how: 'putOff'; at: Instant; error: string; isKnown: boolean }
  | { how: 'failed'; error: string }
  /** The job is handed back, perhaps after an unknown effect; the attempt does not count. */
  | { how: 'released'; at: Instant; isKnown: boolean; error?: string }

/**
 * The state of a claimed job: unchanged (`due`), rescheduled or cancelled (`moved`), or claimed
 * by somebody else (`lost`).
 */
export type ClaimState = 'due' | 'moved' | 'lost'

/** Maximum number of characters of a stored error. */
const MAX_ERROR = 500

const own = of(jobs, 'e', ['dueAt', 'replanned'])
const FIND = select(own, 'from jobs e where e.id = :id and e.claim_id = :claimId')
const FENCE = 'where id = :id and claim_id = :claimId and replanned = :replanned'
const CHANGE = change(`update jobs
  set state = :state, due_at = :dueAt, visible_at = :visibleAt, attempts = :attempts, doubts = :doubts,
    interval_ms = :intervalMs, last_error = :lastError, finished_at = :finishedAt,
    replanned = false, claim_id = null, claimed_by = null ${FENCE}`)
const REMOVE = change(`delete from jobs ${FENCE}`)

/**
 * Returns the current state of a claimed job. Call it once the rows that its action depends on
 * are locked.
 */
export async function stillClaimed(
  statements: StatementRunner,
  { id, claimId }: Claim
): Promise<ClaimState> {
  const [row] = await statements.rows(FIND, { id, claimId })
  if (!row) return 'lost'
  return row.replanned ? 'moved' : 'due'
}

/**
 * Ends an attempt if the claim still holds the job: this is the fence, and the last thing that a
 * transaction does. A job that was replanned meanwhile stays planned.
 * @returns false if the claim was lost; then the transaction must be rolled back
 */
export async function endJob(
  statements: StatementRunner,
  claim: Claim,
  end: End,
  now: Instant,
  isShared: boolean
): Promise<boolean> {
  const { id, claimId } = claim
  // A concurrent replan is seen in the second turn at the latest, because its mark stays.
  for (let turn = 0; turn < 2; turn++) {
    const [row] = await statements.rows(FIND, { id, claimId })
    if (!row) return false
    const after = row.replanned ? replanned(claim, row.dueAt) : ended(claim, row.dueAt, end, now)
    const fence = { id, claimId, replanned: row.replanned }
    const { count } = after
      ? await statements.change(CHANGE, { ...after, ...fence })
      : await statements.change(REMOVE, fence)
    if (count === 0) continue
    const { organizationId: org, entityKey } = claim
    const isOver = after === null || after.finishedAt !== null
    if (isOver && org !== null && entityKey !== null) {
      await giveTurn(statements, { org, entityKey }, now, isShared)
    }
    return true
  }
  return false
}

type After = Omit<
  Claim,
  | 'place'
  | 'id'
  | 'organizationId'
  | 'nature'
  | 'kind'
  | 'subject'
  | 'entityKey'
  | 'idempotencyKey'
  | 'payload'
  | 'claimId'
  | 'claimedBy'
  | 'createdAt'
  | 'replanned'
  | 'visibleAt'
> & { visibleAt: Instant | null }

/** Returns the row of a job that was replanned while claimed; null if it was cancelled. */
function replanned({ intervalMs }: Claim, dueAt: Instant | null): After | null {
  if (dueAt === null) return null
  return {
    state: 'planned',
    dueAt,
    visibleAt: dueAt,
    attempts: 0,
    doubts: 0,
    intervalMs,
    lastError: null,
    finishedAt: null,
  }
}

const isCommand = ({ nature }: Claim) => nature === 'command' || nature === 'urgent'

/** Returns the row after an attempt; null if the row is deleted. */
function ended(claim: Claim, dueAt: Instant | null, end: End, now: Instant): After | null {
  const { attempts, doubts, intervalMs, lastError } = claim
  const planned = { state: 'planned' as const, dueAt, intervalMs, finishedAt: null }
  const finished = { dueAt, visibleAt: null, attempts, doubts: 0, intervalMs, finishedAt: now }
  switch (end.how) {
    case 'done':
      // A command is kept, so that planning it again with its key makes no second one.
      return isCommand(claim) ? { ...finished, state: 'done', lastError: null } : null
    case 'failed':
      return { ...finished, state: 'failed', lastError: end.error.slice(0, MAX_ERROR) }
    case 'again':
      return {
        ...planned,
        dueAt: end.at,
        visibleAt: end.at,
        attempts: 0,
        doubts: 0,
        intervalMs: end.intervalMs ?? null,
        lastError: null,
      }
    case 'putOff':
      return {
        ...planned,
        visibleAt: end.at,
        attempts,
        doubts: end.isKnown ? 0 : doubts,
        lastError: end.error.slice(0, MAX_ERROR),
      }
    case 'released':
      return {
        ...planned,
        visibleAt: end.at,
        attempts: attempts - 1,
        // Earlier doubt persists.
        doubts: end.isKnown ? doubts - 1 : doubts,
        lastError: end.error?.slice(0, MAX_ERROR) ?? lastError,
      }
  }
}
