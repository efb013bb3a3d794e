import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import { releaseParts } from '../parts.js'
import { copyWorkflow } from './copy_workflow.js'
import { restartSteps } from './restart_steps.js'
import { settle } from './settle.js'

/**
 * Gives a release what its app's workflow and definitions are now, and derives it anew: at its
 * making, when its kind changes, when the app is edited, and when a skip is taken back.
 */
export async function adoptWorkflow(
  scope: Scope,
  release: Release,
  options: { restart?: boolean; isNew?: boolean } = {}
): Promise<void> {
  await copyWorkflow(scope, release)
  if (options.restart) await restartSteps(scope, release)
  for (const part of releaseParts.parts)
    await part.adopt?.(scope, release, { isNew: options.isNew ?? false })
  await settle(scope, release)
}
