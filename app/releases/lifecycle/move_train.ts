import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { nextActive, trainHolders, type TrainMember } from '../engine/transitions.js'
import { open } from './open_releases.js'
import { releaseById } from '../queries/find_release.js'
import { releases } from '../tables.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'
import { versionParts } from '../names/version_parts.js'
import type { ReleaseStatus } from '../vocabulary.js'

const MEMBERS = select(
  of(releases, 'r', [
    'id',
    'version',
    'versionMajor',
    'versionMinor',
    'versionPatch',
    'createType',
    'status',
  ]),
  `from releases r
  where r.organization_id = :org and r.app_id = :appId and ${open('r')}`
)

/** Returns the upcoming and active releases of an app. */
export async function trainMembers(
  scope: Scope,
  appId: string
): Promise<(TrainMember & { versionText: string })[]> {
  const rows = await scope.rows(MEMBERS, { appId })
  return rows.map((row) => ({
    id: row.id,
    createType: row.createType,
    status: row.status,
    version: versionParts(row),
    versionText: row.version,
  }))
}

/** Returns the versions on the train that an upcoming release waits for. */
export async function aheadOnTrain(
  scope: Scope,
  { status, appId }: { status: ReleaseStatus; appId: string }
): Promise<string[]> {
  if (status !== 'upcoming') return []
  return trainHolders(await trainMembers(scope, appId)).map(({ versionText }) => versionText)
}

/** Makes the lowest upcoming version active when no release of the train is. */
export async function moveTrain(scope: Scope, appId: string): Promise<void> {
  const next = nextActive(await trainMembers(scope, appId))
  if (!next) return
  const release = await releaseById(scope, appId, next.id)
  release.merge({ status: 'active', updatedAt: scope.now })
  await release.useTransaction(scope.transaction).save()
  recordReleaseEvent(scope, release, {
    type: 'release.updated',
    title: `${release.version} is the active release now`,
    data: { status: { from: 'upcoming', to: 'active' }, isDerived: true },
    payload: null,
  })
  scope.touch(release)
}
