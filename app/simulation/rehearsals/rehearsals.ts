import { change, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { columnName, storedRow, type RowOf } from '#foundation/core/database/table'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { rehearsals } from '../tables.js'
import { MAX_KEPT } from './vocabulary.js'

const SHOWN = of(rehearsals, 'r', [
  ...(['id', 'appId', 'state', 'scenario', 'weeks', 'beginsAt', 'playedTo', 'failure'] as const),
  ...(['createdBy', 'createdAt', 'endedAt'] as const),
])
const SELECT_BY_APP = select(
  SHOWN,
  `from rehearsals r where r.organization_id = :org and r.app_id = :appId
  order by r.created_at desc, r.id limit ${MAX_KEPT}`
)
const SELECT_ONE = select(
  { ...SHOWN, ...of(rehearsals, 'r', ['result']) },
  `from rehearsals r where r.organization_id = :org and r.id = :id`
)
const SELECT_UNDER_WAY = select(
  of(rehearsals, 'r', ['appId']),
  `from rehearsals r where r.organization_id = :org and r.state in ('waiting', 'playing') limit 1`
)
const COLUMNS = Object.keys(rehearsals.columns)
  .filter((name) => name !== 'organizationId')
  .map(columnName)
const INSERT = change(
  `insert into rehearsals (organization_id, ${COLUMNS.join(', ')})
  values (:org, ${COLUMNS.map((name) => `:${name}`).join(', ')})
  on conflict (organization_id) where state in ('waiting', 'playing') do nothing`,
  of(rehearsals, 'rehearsals', ['id'])
)
/** Deletes the oldest rehearsals of an app, to make room for one. */
const DELETE_OLDEST = change(
  `delete from rehearsals where organization_id = :org and app_id = :appId and id not in (
    select id from rehearsals where app_id = :appId
    order by created_at desc, id limit ${MAX_KEPT - 1})`
)
/** Stores the progress of a rehearsal, unless it was stopped. */
const STORE_PROGRESS = change(
  `update rehearsals set state = 'playing', played_to = :playedTo
  where organization_id = :org and id = :id and state in ('waiting', 'playing')`,
  of(rehearsals, 'rehearsals', ['id'])
)

/** A rehearsal without its result. */
export type ListedRehearsal = RowOfSelect<typeof SELECT_BY_APP>

export type RehearsalRow = RowOfSelect<typeof SELECT_ONE>

/** Returns the kept rehearsals of an app, the latest first. */
export const rehearsalsOf = (scope: Scope, appId: string) => scope.rows(SELECT_BY_APP, { appId })

/** Returns a rehearsal; null if it was deleted. */
export async function rehearsalById(scope: Scope, id: string): Promise<RehearsalRow | null> {
  const [row] = await scope.rows(SELECT_ONE, { id })
  return row ?? null
}

/** Returns a rehearsal of an app. @throws not_found */
export async function findRehearsal(scope: Scope, appId: string, id: string) {
  const row = await rehearsalById(scope, id)
  if (row?.appId !== appId) throw refuse('not_found')
  return row
}

/** Returns the app whose rehearsal is under way in the organization; null for none. */
export async function rehearsedApp(scope: Scope): Promise<string | null> {
  return (await scope.rows(SELECT_UNDER_WAY))[0]?.appId ?? null
}

/**
 * Inserts a rehearsal.
 * @returns false if the organization has one under way; nothing is inserted then
 */
export async function insertRehearsal(
  scope: Scope,
  row: Omit<RowOf<typeof rehearsals>, 'organizationId'>
) {
  const { rows } = await scope.change(INSERT, storedRow(rehearsals, row))
  return rows.length > 0
}

export const deleteOldest = (scope: Scope, appId: string) => scope.change(DELETE_OLDEST, { appId })

/** Ends a rehearsal, unless it is over already. */
export async function endRehearsal(
  scope: Scope,
  id: string,
  end: Partial<Pick<RowOf<typeof rehearsals>, 'state' | 'failure' | 'result'>>
): Promise<void> {
  const open = { id, state: ['waiting', 'playing'] as const }
  await scope.update(rehearsals, open, { ...end, endedAt: scope.now })
}

/** Stores the progress of a rehearsal. @returns false if it was stopped */
export async function storeProgress(scope: Scope, id: string, playedTo: string): Promise<boolean> {
  const { rows } = await scope.change(STORE_PROGRESS, { id, playedTo })
  return rows.length > 0
}
