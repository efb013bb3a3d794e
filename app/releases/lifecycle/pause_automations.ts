import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'

/** Stores whether the automations of a release are paused. The caller records the event. */
export async function pauseAutomations(
  scope: Scope,
  release: Release,
  automationsPaused: boolean
): Promise<void> {
  release.merge({ automationsPaused })
  await release.useTransaction(scope.transaction).save()
}
