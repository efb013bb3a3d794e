import type { Instant } from '../clock.js'
import type { StatementRunner } from '../database/runner.js'
import { change } from '../database/statement.js'

const LOCK = change(
  `select pg_advisory_xact_lock(hashtextextended('jobs ' || :org || ' ' || :entityKey, 0))`
)

const NEXT = change(`update jobs
  set state = 'planned', look_at = case when due_at > :now then due_at else :now end
  where organization_id = :org and entity_key = :entityKey and state = 'behind'
    and place = (select min(place) from jobs
      where organization_id = :org and entity_key = :entityKey and finished_at is null)`)

interface Entity {
  org: string
  entityKey: string
}

/**
 * Lets transactions that plan or end commands of one entity follow each other until they are
 * over, so that each sees what the other did. SQLite's exclude each other anyway.
 */
export async function lockEntity(statements: StatementRunner, entity: Entity, isShared: boolean) {
  if (isShared) await statements.change(LOCK, { ...entity })
}

/** Lets the next command of an entity have its turn, when the one before it has ended. */
export async function giveTurn(
  statements: StatementRunner,
  entity: Entity,
  now: Instant,
  isShared: boolean
): Promise<void> {
  await lockEntity(statements, entity, isShared)
  await statements.change(NEXT, { ...entity, now })
}
