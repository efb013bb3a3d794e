import { as, of, select } from '#foundation/core/database/statement'
import { integer } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { fixRequests } from '../tables.js'

const MERGED = select(
  { ...of(fixRequests, 'f', ['releaseId']), count: as(integer(), 'count(*)') },
  `from fix_requests f
  where f.organization_id = :org and f.status = 'merged' and f.release_id in json(:releaseIds)
  group by f.release_id`
)

/** Returns the number of merged fix requests by internal release id; releases without any are absent. */
export async function mergedFixes(
  scope: Scope,
  releaseIds: readonly string[]
): Promise<Map<string, number>> {
  const rows = await scope.rows(MERGED, { releaseIds: JSON.stringify(releaseIds) })
  return new Map(rows.map(({ releaseId, count }) => [releaseId, count]))
}
