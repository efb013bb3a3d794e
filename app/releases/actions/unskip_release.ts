import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'
import { adoptWorkflow } from '../lifecycle/adopt_workflow.js'
import { requireAllowed } from '../preconditions/require_allowed.js'
import { requireBelowReleaseLimit } from '../preconditions/require_release_limit.js'
import { derivedType } from '../lifecycle/follow_versions.js'

/**
 * Undoes a skip. The release returns to its previous status, its unfinished steps start a new run,
 * and changes made to the app's workflow since the skip are applied.
 */
export class UnskipRelease {
  constructor(private readonly scope: Scope) {}

  /** @throws release_not_skipped, release_completed, too_many_open_releases */
  async handle(release: Release): Promise<void> {
    const { scope } = this
    const ruling = await requireAllowed(scope, release, 'unskip')
    if (ruling.to === 'deleted') return
    await requireBelowReleaseLimit(scope, release.appId)
    release.merge({
      status: ruling.to,
      statusBeforeSkip: null,
      skippedAt: null,
      updatedAt: scope.now,
    })
    if (release.kickedOffAt === null) release.releaseType = await derivedType(scope, release)
    await release.useTransaction(scope.transaction).save()
    recordReleaseEvent(scope, release, {
      type: 'release.unskipped',
      title: `${release.version} is no longer skipped`,
      data: { status: { from: 'skipped', to: ruling.to } },
      payload: null,
    })
    await adoptWorkflow(scope, release, { restart: true })
  }
}
