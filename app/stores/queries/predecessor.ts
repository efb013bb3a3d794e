import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { releases } from '#releases/tables'
import { compareVersions, parseVersion } from '#workflow/version'
import { trackOfSeen } from '../derive/seen.js'
import { wentToAll } from '../derive/store_facts.js'
import { versionOfName } from '../derive/version_names.js'
import { appStoreVersions } from '../tables.js'
import { inSameStore } from './same_store.js'
import { storeRecordOf } from './store_record.js'
import type { StoreTarget } from './store_targets.js'

const RELEASED = select(
  {
    ...of(releases, 'r', ['version']),
    ...of(appStoreVersions, 'v', ['releaseId', 'known', 'submittedAt', 'releasedAt']),
  },
  `from app_store_versions v
  join releases r on r.organization_id = v.organization_id and r.id = v.release_id
  where v.organization_id = :org and ${inSameStore('v')} and v.released_at is not null`
)

/** The version that was with all users before another one, if it is known. */
export type Predecessor =
  | { kind: 'known'; version: string }
  /** The version itself was out already when it was first seen. */
  | { kind: 'unknown' }
  /** No version was out before it. */
  | { kind: 'none' }

/**
 * Returns the version that Google Play serves again if the given one is halted after it reached all
 * users: the highest version below it on its track that went to all, with or without a release
 * here.
 */
export async function predecessorOf(
  scope: Scope,
  { id, version }: Pick<Release, 'id' | 'version'>,
  target: Pick<StoreTarget, 'integrationId'>
): Promise<Predecessor> {
  const { integrationId } = target
  const rows = await scope.rows(RELEASED, { integrationId })
  const others = (await storeRecordOf(scope, target))?.versions ?? []
  const own = rows.find(({ releaseId }) => releaseId === id)
  const track = trackOfSeen(own?.known ?? null)
  const parts = parseVersion(version)!
  const below = [
    ...rows,
    ...others.map((each) => ({ ...each, version: versionOfName(each.version) })),
  ]
    .flatMap(({ version: name, known }) => {
      const other = parseVersion(name)
      const isBelow = other !== null && compareVersions(other, parts) < 0
      return isBelow && trackOfSeen(known) === track && wentToAll(known) ? [{ name, other }] : []
    })
    .sort((one, other) => compareVersions(other.other, one.other))
  if (below.length > 0) return { kind: 'known', version: below[0].name }
  const isSeenBefore = own?.submittedAt && own.releasedAt && own.submittedAt < own.releasedAt
  return { kind: isSeenBefore ? 'none' : 'unknown' }
}
