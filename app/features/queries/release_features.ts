import { change, of, select } from '#foundation/core/database/statement'
import { storedRow, type RowOf } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { releaseFeatures } from '../tables.js'

export type ReleaseFeatures = RowOf<typeof releaseFeatures>

const ONE = select(
  of(releaseFeatures, 'f'),
  'from release_features f where f.organization_id = :org and f.release_id = :releaseId'
)
const MAKE = change(
  `insert into release_features (
    release_id, organization_id, app_id, watches_code, watches_tickets, mentioned, open_pulls)
  values (:release_id, :org, :app_id, :watches_code, :watches_tickets, :mentioned, :open_pulls)
  on conflict (release_id) do update set watches_code = excluded.watches_code,
    watches_tickets = excluded.watches_tickets`
)

/** Returns the polled state of a release, by internal id; null without one. */
export async function releaseFeaturesOf(
  scope: Scope,
  releaseId: string
): Promise<ReleaseFeatures | null> {
  const [row] = await scope.rowsOnce(ONE, { releaseId })
  return row ?? null
}

const REPOSITORIES = select(
  of(releaseFeatures, 'f', ['releaseId', 'repository']),
  `from release_features f where f.organization_id = :org and f.release_id in json(:releaseIds)`
)

/** Returns the repositories in which the code of releases was observed, by their internal ids. */
export async function repositoriesOf(
  scope: Scope,
  releaseIds: Iterable<string>
): Promise<Map<string, string | null>> {
  const ids = JSON.stringify([...new Set(releaseIds)])
  const rows = await scope.rows(REPOSITORIES, { releaseIds: ids })
  return new Map(rows.map(({ releaseId, repository }) => [releaseId, repository]))
}

/** Prefetches what `releaseFeaturesOf` returns. */
export const prefetchFeatures = (scope: Scope, releaseId: string) =>
  scope.prefetch(ONE, { releaseId })

/** Records what is polled for a release from now on. */
export async function recordWatches(
  scope: Scope,
  { id: releaseId, appId }: { id: string; appId: string },
  watches: { watchesCode: boolean; watchesTickets: boolean }
): Promise<void> {
  const row = { releaseId, appId, ...watches, mentioned: [], openPulls: [] }
  await scope.change(MAKE, storedRow(releaseFeatures, row))
}
