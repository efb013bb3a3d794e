import { change, of, select } from '#foundation/core/database/statement'
import { storedRow } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { integrationsOfKind } from '#integrations/queries/app_integrations'
import { releaseProgress } from './tables.js'
import { WATCHED, type Seen, type Watched } from './vocabulary.js'

const SELECT_BY_RELEASE = select(
  of(releaseProgress, 'p', ['what', 'isWatched', 'seen']),
  'from release_progress p where p.organization_id = :org and p.release_id = :releaseId'
)
const NOTE = change(
  `insert into release_progress (release_id, what, organization_id, app_id, is_watched)
  values (:release_id, :what, :org, :app_id, :is_watched)
  on conflict (release_id, what) do update set is_watched = excluded.is_watched`
)

const rowOf = async (scope: Scope, releaseId: string, what: Watched) =>
  (await scope.rowsOnce(SELECT_BY_RELEASE, { releaseId })).find((row) => row.what === what)

/** Prefetches the rows that the functions below read of a release. */
export const prefetchProgress = (scope: Scope, releaseId: string) =>
  scope.prefetch(SELECT_BY_RELEASE, { releaseId })

/** Returns whether an app has a provider to poll. */
export const hasSource = async (scope: Scope, appId: string, what: Watched): Promise<boolean> =>
  (await integrationsOfKind(scope, appId, WATCHED[what].kind)).length > 0

/** Returns whether a release is polled. */
export const isWatched = async (scope: Scope, releaseId: string, what: Watched): Promise<boolean> =>
  (await rowOf(scope, releaseId, what))?.isWatched ?? false

/** Returns the last observation; null before the first poll. */
export async function seenOf<What extends Watched>(
  scope: Scope,
  releaseId: string,
  what: What
): Promise<Seen[What] | null> {
  return ((await rowOf(scope, releaseId, what))?.seen ?? null) as Seen[What] | null
}

/** Records whether a release is polled from now on. */
export async function recordWatched(
  scope: Scope,
  { id: releaseId, appId }: { id: string; appId: string },
  what: Watched,
  isNow: boolean
): Promise<void> {
  const row = { releaseId, appId, what, isWatched: isNow }
  await scope.change(NOTE, storedRow(releaseProgress, row))
}

/** Stores an observation. @returns whether it differs from the one before */
export async function storeSeen<What extends Watched>(
  scope: Scope,
  releaseId: string,
  what: What,
  seen: Seen[What]
): Promise<boolean> {
  const before = await seenOf(scope, releaseId, what)
  if (JSON.stringify(before) === JSON.stringify(seen)) return false
  await scope.update(releaseProgress, { releaseId, what }, { seen, seenAt: scope.now })
  return true
}
