import type { Scope } from '#foundation/core/scope'
import { giveWay } from '#foundation/core/turns'
import type Release from './models/release.js'
import { releaseById } from './queries/find_release.js'
import { LOWEST_FIRST } from './queries/version_sql.js'
import { EditCache } from './edit_cache.js'
import type { ReleaseStatus } from './vocabulary.js'

const OPEN = ['upcoming', 'active'] as const

/** A status of a release that is not over. */
type OpenStatus = (typeof OPEN)[number]

/** Whether a release is over: what it holds does not change any more. */
export function isEnded({ status }: { status: ReleaseStatus }): boolean {
  return status === 'completed' || status === 'skipped'
}

/** What an edit of an app knows of a release that it reaches. */
interface Reached {
  /**
   * The status that it had before any of the work: a release that ends moves the train, and
   * makes the next one active.
   */
  statusBefore: OpenStatus
  cache: EditCache
}

/**
 * Does something with every release of an app that is not over, lowest version first. Between
 * them others are served.
 * @param only internal id, where it can concern one release alone
 */
export async function forEachOpenRelease(
  scope: Scope,
  appId: string,
  work: (release: Release, reached: Reached) => Promise<void>,
  only?: string
): Promise<void> {
  const query = scope
    .table('releases')
    .where('app_id', appId)
    .whereIn('status', [...OPEN])
    .orderBy(LOWEST_FIRST)
    .select('id', 'status')
  if (only !== undefined) query.where('id', only)
  const open: { id: string; status: OpenStatus }[] = await query
  // Read one by one: what was done with a release may have changed the next.
  const cache = new EditCache()
  for (const { id, status: statusBefore } of open) {
    await work(await releaseById(scope, appId, id), { statusBefore, cache })
    await giveWay()
  }
}
