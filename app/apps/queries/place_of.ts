import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { destinations } from '../tables.js'

const SELECT_BY_APP = select(
  of(destinations, 'd', ['id']),
  `from destinations d where d.organization_id = :org and d.app_id = :appId
  order by d.position, d.id`
)

/**
 * Returns the id by which stores know a destination: null for the first one, which its store does
 * not name.
 * @returns undefined if the app has no such destination
 */
export async function placeOf(
  scope: Scope,
  appId: string,
  destinationId: string | null
): Promise<string | null | undefined> {
  if (destinationId === null) return null
  const all = await scope.rows(SELECT_BY_APP, { appId })
  const index = all.findIndex(({ id }) => id === destinationId)
  if (index < 0) return undefined
  return index === 0 ? null : destinationId
}
