import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'
import { codePort, planningPort } from '../ports.js'
import type { ReleaseStatus } from '../vocabulary.js'

/** Records that a release is kicked off, and requests the follow-up changes of its code. */
export async function recordKickoff(
  scope: Scope,
  release: Release,
  status: ReleaseStatus
): Promise<void> {
  const before = release.status
  release.merge({ status, kickedOffAt: scope.now, updatedAt: scope.now })
  await release.useTransaction(scope.transaction).save()
  recordReleaseEvent(scope, release, {
    type: 'release.kickedOff',
    title: `${release.version} was kicked off`,
    data: before === status ? {} : { status: { from: before, to: status } },
    payload: {},
  })
  scope.touch(release)
  await codePort.provided.requestKickoffOptions(scope, release)
  await planningPort.provided.ended(scope, release, { action: 'kickoff', result: 'done' })
}
