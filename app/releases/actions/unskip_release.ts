import { syncReleaseItems } from '#checklists/actions/sync_release_items'
import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import { recordReleaseEvent } from '../record.js'
import { copyWorkflow } from './copy_workflow.js'
import { demandAllowed } from './demand_allowed.js'
import { moveTrain } from './move_train.js'
import { restartSteps } from './restart_steps.js'
import { settle } from './settle.js'

/**
 * Takes a skip back: the release stands where it stood, its unfinished steps begin a new
 * run, and it takes over what the app's workflow became meanwhile.
 */
export class UnskipRelease {
  constructor(private readonly scope: Scope) {}

  async handle(release: Release): Promise<void> {
    const { scope } = this
    const ruling = await demandAllowed(scope, release, 'unskip')
    if (ruling.to === 'deleted') return
    release.merge({
      status: ruling.to,
      statusBeforeSkip: null,
      skippedAt: null,
      updatedAt: scope.now,
    })
    await release.useTransaction(scope.transaction).save()
    recordReleaseEvent(scope, release, {
      type: 'release.unskipped',
      title: `${release.version} was un-skipped`,
      data: { status: { from: 'skipped', to: ruling.to } },
      payload: null,
    })
    await copyWorkflow(scope, release)
    await restartSteps(scope, release)
    await syncReleaseItems(scope, release)
    await settle(scope, release)
    await moveTrain(scope, release.appId)
  }
}
