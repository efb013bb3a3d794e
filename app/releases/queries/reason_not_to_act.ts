import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import { isEnded } from '../lifecycle/open_releases.js'
import { planningPort } from '../ports.js'
import { isReleaseThere } from './find_release.js'
import { readReleaseById } from './read_release.js'

/**
 * Returns why an earlier request must no longer be carried out: the release has been deleted or
 * skipped, or its requester may not act now. Null without a reason. Called right before a call to a
 * provider, possibly outside of a transaction.
 * @param mustBeOpen whether a completed release is a reason too
 */
export async function reasonNotToAct(
  scope: Scope,
  { appId, releaseId }: { appId: string; releaseId: string },
  askedBy: Actor,
  { mustBeOpen = false } = {}
): Promise<string | null> {
  if (!(await isReleaseThere(scope, appId, releaseId))) return 'the release was deleted'
  const { release } = await readReleaseById(scope, appId, releaseId)
  const { status, version } = release
  if (mustBeOpen ? isEnded(release) : status === 'skipped') return `${version} was ${status}`
  return planningPort.provided.whyHeld(scope, release, askedBy)
}
