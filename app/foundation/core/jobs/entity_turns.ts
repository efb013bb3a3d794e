import type { Instant } from '../clock.js'
import type { StatementRunner } from '../database/runner.js'
import { change } from '../database/statement.js'

const LOCK = change(
  `select pg_advisory_xact_lock(hashtextextended('jobs ' || :org || ' ' || :entityKey, 0))`
)

const NEXT = change(`update jobs
  set state = 'planned', visible_at = case when due_at > :now then due_at else :now end
  where organization_id = :org and entity_key = :entityKey and state = 'behind'
    and place = (select min(place) from jobs
      where organization_id = :org and entity_key = :entityKey and finished_at is null)`)

interface Entity {
  org: string
  entityKey: string
}

/**
 * Serializes transactions that plan or end commands of one entity, so that each sees the changes
 * of the one before. Transactions on SQLite are serialized anyway.
 */
export async function lockEntity(statements: StatementRunner, entity: Entity, isShared: boolean) {
  if (isShared) await statements.change(LOCK, { ...entity })
}

/** Makes the next command of an entity runnable when the previous one has ended. */
export async function giveTurn(
  statements: StatementRunner,
  entity: Entity,
  now: Instant,
  isShared: boolean
): Promise<void> {
  await lockEntity(statements, entity, isShared)
  await statements.change(NEXT, { ...entity, now })
}
