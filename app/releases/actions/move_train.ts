import type { Scope } from '#foundation/core/scope'
import { nextActive, type TrainMember } from '../engine/transitions.js'
import { releaseById } from '../queries/find_release.js'
import { recordReleaseEvent } from '../record_release_event.js'

/** The releases of an app that the train still has before it. */
export async function trainMembers(scope: Scope, appId: string): Promise<TrainMember[]> {
  const rows = await scope
    .table('releases')
    .where('app_id', appId)
    .whereIn('status', ['active', 'upcoming'])
    .select('id', 'version_major', 'version_minor', 'version_patch', 'release_type', 'status')
  return rows.map((row) => ({
    id: row.id,
    version: { major: row.version_major, minor: row.version_minor, patch: row.version_patch },
    releaseType: row.release_type,
    status: row.status,
  }))
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
    data: { status: { from: 'upcoming', to: 'active' } },
    payload: null,
  })
}
