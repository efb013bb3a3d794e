import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import { isEnded } from '../lifecycle/open_releases.js'
import { planningPort } from '../ports.js'
import { isReleaseThere } from './find_release.js'
import { readReleaseById } from './read_release.js'

/**
 * Why something is not to be done any more that was asked for a while ago: the release was deleted
 * or skipped meanwhile, or what asked for it is held back by now; null where nothing stands
 * against it. Read again before a call, also outside of a transaction.
 * @param whileOpen whether it is of no use either once the release was completed
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
