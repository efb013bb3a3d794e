import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import { isEnded } from '../lifecycle/open_releases.js'
import { planningPort } from '../ports.js'
import { isReleaseThere } from './find_release.js'
import { readReleaseById } from './read_release.js'

/**
 * Returns why a request of earlier must not be carried out any more: the release was deleted or
 * skipped since, or its requester is held back; null if nothing prevents it. Checked right before
 * a call, also outside of a transaction.
 * @param whileOpen whether a completed release prevents it, too
 */
export async function standsAgainst(
  scope: Scope,
  { appId, releaseId }: { appId: string; releaseId: string },
  askedBy: Actor,
  { whileOpen = false } = {}
): Promise<string | null> {
  if (!(await isReleaseThere(scope, appId, releaseId))) return 'the release was deleted'
  const { release } = await readReleaseById(scope, appId, releaseId)
  const { status, version } = release
  if (whileOpen ? isEnded(release) : status === 'skipped') return `${version} was ${status}`
  return planningPort.provided.holds(scope, release, askedBy)
}
