import { jobs } from '#foundation/core/jobs/tables'
import type { Instant } from '#foundation/core/clock'
import { as, of, select } from '#foundation/core/database/statement'
import { instant, integer } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'

/** Work of one kind that waits for the service's time; `at` is the earliest due time. */
export interface WaitingWork {
  kind: string
  count: number
  at: Instant
}

const WAITING = select(
  {
    ...of(jobs, 'a', ['kind']),
    count: as(integer(), 'count(*)'),
    at: as(instant(), 'min(a.due_at)'),
  },
  `from jobs a where a.organization_id = :org and a.finished_at is null
    and a.nature in ('timer', 'command') and a.due_at > :now and a.due_at <= :until
  group by a.kind order by min(a.due_at), a.kind`
)

/** Returns work planned for a time that a world has reached and the service has not. */
export function waitingUntil(scope: Scope, until: Instant): Promise<WaitingWork[]> {
  return scope.rows(WAITING, { now: scope.now, until })
}

const UNDER_WAY = select(
  of(jobs, 'a', ['id']),
  `from jobs a where a.organization_id = :org and a.finished_at is null
    and (a.claim_id is not null or a.visible_at <= :now) limit 1`
)

/** Returns whether work is due now, or being done. */
export async function isBusy(scope: Scope): Promise<boolean> {
  return (await scope.rows(UNDER_WAY, { now: scope.now })).length > 0
}
