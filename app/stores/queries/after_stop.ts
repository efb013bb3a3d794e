import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type { ReleaseWarning } from '#releases/ports'
import { releases } from '#releases/tables'
import { isInReview } from '../reconciler/states.js'
import { appStoreVersions } from '../tables.js'
import { storesOfRelease, type StoreOfRelease } from './store_state.js'
import { versionOfName } from '../derive/version_names.js'
import { predecessorOf } from './predecessor.js'
import { inSameStore } from './same_store.js'
import { storeRecordOf } from './store_record.js'
import type { StoreTarget } from './store_targets.js'

const BY_HAND =
  'The App Store pauses only automatic updates: anyone may still update by hand. A person can ship a hotfix, or remove it from sale in App Store Connect.'

/** Describes what users keep after a stop of a release, by store. */
export async function afterStop(
  scope: Scope,
  release: { id: string; appId: string; version: string }
): Promise<ReleaseWarning[]> {
  const warnings: ReleaseWarning[] = []
  for (const store of await storesOfRelease(scope, release)) {
    warnings.push(...(await afterStopIn(scope, release, store)))
  }
  return warnings
}

const BESIDE = select(
  { ...of(releases, 'r', ['version']), ...of(appStoreVersions, 'v', ['known']) },
  `from app_store_versions v
  join releases r on r.organization_id = v.organization_id and r.id = v.release_id
  where v.organization_id = :org and ${inSameStore('v')}
    and v.release_id <> :releaseId and not v.is_over`
)

/**
 * Returns warnings about reviews that begin again: a stop on Google Play is a commit, which sends
 * all changes of the app for review again.
 */
async function restartedReviews(
  scope: Scope,
  { id: releaseId, version }: { id: string; version: string },
  target: Pick<StoreTarget, 'integrationId'>
): Promise<ReleaseWarning[]> {
  const { integrationId } = target
  const rows = await scope.rows(BESIDE, { integrationId, releaseId })
  const record = await storeRecordOf(scope, target)
  // Two apps that share a store may each have a release of the same version.
  const inReview = new Set(
    [...rows, ...(record?.versions ?? [])]
      .filter(({ known }) => known !== null && isInReview(known.state))
      .map((each) => versionOfName(each.version))
  )
  return [...inReview].map((other) => ({
    code: 'review_restarts',
    message: `Google Play reviews ${other} from the beginning once ${version} is halted, which sends all changes of the app again.`,
  }))
}

async function afterStopIn(
  scope: Scope,
  release: { id: string; version: string },
  { target, facts, version }: StoreOfRelease
): Promise<ReleaseWarning[]> {
  const { state, percentage } = facts.rollout
  if (target.storeType === 'apple') {
    const isOffered = state === 'active' || state === 'paused'
    return isOffered ? [{ code: 'updates_by_hand', message: BY_HAND }] : []
  }
  const isOut = state === 'active' || state === 'completed'
  const restarted = isOut ? await restartedReviews(scope, release, target) : []
  const reachedAll = state === 'completed' || (state === 'halted' && percentage === 100)
  if (!reachedAll || version?.known?.state === 'replaced') return restarted
  const before = await predecessorOf(scope, release, target)
  if (before.kind === 'none') return []
  const keep = `Users who have ${release.version} keep it.`
  const message =
    before.kind === 'known'
      ? `Google Play offers ${before.version} to users again once ${release.version} is halted. ${keep}`
      : `Google Play offers the version before ${release.version} to users again once ${release.version} is halted, and refuses the halt if there was none: ${release.version} was already out when it was first seen here. ${keep}`
  return [{ code: 'served_before', message }, ...restarted]
}
