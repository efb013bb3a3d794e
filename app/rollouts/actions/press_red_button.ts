import type { Scope } from '#foundation/core/scope'
import { CreateTriageIssue } from '#fixes/actions/create_triage_issue'
import { SetPause } from '#planning/actions/set_pause'
import { demandOpen } from '#releases/demand_open'
import type Release from '#releases/models/release'
import { isOpen } from '#releases/open_releases'
import { recordReleaseEvent } from '#releases/record_release_event'
import { pressedOf } from '../queries/pressed.js'
import { stopRelease } from '../stop_release.js'
import { redButtons } from '../tables.js'

/**
 * Stops all of a release at once: its rollouts in every store, its automations, and opens a
 * triage issue. What is stopped already stays as it is.
 */
export class PressRedButton {
  constructor(private readonly scope: Scope) {}

  /** @throws release_completed, release_skipped where nothing of such a release is rolled out */
  async handle(release: Release, reason: string | null): Promise<void> {
    const { scope } = this
    const stopped = await stopRelease(scope, release, 'Stopped by the red button')
    // All else is done where there is nothing that could be stopped.
    if (stopped === null) demandOpen(release)
    if (isOpen(release)) await this.#pause(release, reason)
    if (await pressedOf(scope, release.id)) return
    const { appId, version, publicId } = release
    const issueId = await new CreateTriageIssue(scope).handle(appId, {
      title: `${version} was stopped by the red button`,
      description: reason ?? undefined,
      source: 'manual',
      severity: 'critical',
      releaseId: publicId,
      affectedVersions: [version],
    })
    await scope.insert(redButtons, [
      {
        releaseId: release.id,
        appId,
        pressedAt: scope.now,
        pressedBy: scope.actor,
        reason,
        issueId,
      },
    ])
    recordReleaseEvent(scope, release, {
      type: 'redButton.pressed',
      title: `The red button of ${version} was pressed${reason === null ? '' : `: ${reason}`}`,
      data: { reason, triageIssueId: issueId, rollouts: stopped ?? 'nothing' },
      payload: null,
    })
  }

  async #pause(release: Release, reason: string | null): Promise<void> {
    if (release.automationsPaused) return
    await new SetPause(this.scope).handle(release.appId, {
      releaseId: release.publicId,
      paused: true,
      reason: reason ?? 'The red button was pressed',
    })
  }
}

/** A person lets a release go on: the next press is another one. */
export async function releaseRedButton(scope: Scope, { id }: Pick<Release, 'id'>): Promise<void> {
  await scope.table('red_buttons').where('release_id', id).delete()
}
