import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'

/** Notes at a release whether its automations are paused. Who calls tells of it. */
export async function pauseAutomations(
  scope: Scope,
  release: Release,
  automationsPaused: boolean
): Promise<void> {
  release.merge({ automationsPaused })
  await release.useTransaction(scope.transaction).save()
}
