import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import { recordReleased } from '../timeline/record_released.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'

type StoreDates = Pick<Release, 'submittedAt' | 'approvedAt' | 'releasedAt'>

/**
 * Stores the dates that stores report of a release, and records events for new ones.
 * @param isResubmitted whether a store has again what it had rejected
 * @returns whether a date changed
 */
export async function takeStoreDates(
  scope: Scope,
  release: Release,
  { submittedAt, approvedAt, releasedAt }: StoreDates,
  isResubmitted: boolean
): Promise<boolean> {
  const before = { submittedAt: release.submittedAt, releasedAt: release.releasedAt }
  release.merge({ submittedAt, approvedAt })
  // A version that reached users stays released.
  if (releasedAt !== null) release.merge({ releasedAt })
  const isChanged = release.$isDirty
  if (isChanged) {
    release.updatedAt = scope.now
    await release.useTransaction(scope.transaction).save()
  }
  if (submittedAt !== null && (before.submittedAt === null || isResubmitted)) {
    const again = isResubmitted ? ' again' : ''
    recordReleaseEvent(scope, release, {
      type: 'release.submitted',
      title: `${release.version} was submitted for review${again}`,
      data: { submittedAt },
      payload: {},
    })
  }
  if (release.releasedAt !== null && before.releasedAt === null) {
    await recordReleased(scope, release)
  }
  return isChanged
}

/** Records whether a fully released version is halted in every store that it was released in. */
export async function markHalted(scope: Scope, release: Release, isHalted: boolean): Promise<void> {
  if (isHalted === (release.haltedAt !== null)) return
  release.merge({ haltedAt: isHalted ? scope.now : null, updatedAt: scope.now })
  await release.useTransaction(scope.transaction).save()
}
