import { of, select } from '#foundation/core/database/statement'
import type { RowOf } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { integrationsOfKind } from '#integrations/queries/app_integrations'
import { flagWatches, type FlagChange } from '../tables.js'
import { flagsKind } from '../work_kinds.js'

/** Most changes that are kept of one release; the newest stay. */
const MAX_FLAG_CHANGES = 200

const ONE = select(
  of(flagWatches, 'w'),
  'from flag_watches w where w.organization_id = :org and w.release_id = :releaseId'
)

export type FlagWatch = RowOf<typeof flagWatches>

/** Returns the changes of flags during the rollout of a release; null if they were never read. */
export async function flagWatchOf(scope: Scope, releaseId: string): Promise<FlagWatch | null> {
  const [row] = await scope.rowsOnce(ONE, { releaseId })
  return row ?? null
}

/** Returns whether users get a release and may get more of it. */
export const isRolledOut = (release: { status: string; releasedAt: string | null }): boolean =>
  release.status === 'active' && release.releasedAt !== null

/** Plans polls of flags while a release is rolled out. */
export async function watchFlags(
  scope: Scope,
  release: { id: string; appId: string; status: string; releasedAt: string | null }
): Promise<void> {
  if (!isRolledOut(release)) return
  const { id: releaseId, appId } = release
  const watch = await flagWatchOf(scope, releaseId)
  if (watch?.isOn) return
  if ((await integrationsOfKind(scope, appId, 'experimentation')).length === 0) return
  if (watch) await scope.update(flagWatches, { releaseId }, { isOn: true })
  else {
    const nothing = { seen: null, source: null, changes: [] }
    await scope.insert(flagWatches, [{ releaseId, appId, isOn: true, ...nothing }])
  }
  await scope.jobs.plan(flagsKind, { subject: releaseId, payload: { appId } })
}

/** Stores the observed flags with their place, and adds changes. */
export async function storeFlags(
  scope: Scope,
  { releaseId, changes }: FlagWatch,
  { seen, source }: Pick<FlagWatch, 'seen' | 'source'>,
  more: readonly FlagChange[]
): Promise<void> {
  const all = [...changes, ...more].slice(-MAX_FLAG_CHANGES)
  await scope.update(flagWatches, { releaseId }, { seen, source, changes: all })
}
