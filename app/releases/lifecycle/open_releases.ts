import type { Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import type Release from '../models/release.js'
import { releaseById } from '../queries/find_release.js'
import { LOWEST_FIRST } from '../queries/version_sql.js'
import { EditCache } from './edit_cache.js'
import type { ReleaseStatus } from '../vocabulary.js'

const OPEN = ['upcoming', 'active'] as const

/** A status of a release that is not over. */
type OpenStatus = (typeof OPEN)[number]
type EndedStatus = Exclude<ReleaseStatus, OpenStatus>

interface Standing {
  status: ReleaseStatus
}

/** Returns whether a release is upcoming or active. */
export function isOpen({ status }: Standing): boolean {
  return OPEN.some((each) => each === status)
}

/** Returns whether a release is over, so that its content no longer changes. */
export function isEnded<S extends Standing>(release: S): release is S & { status: EndedStatus } {
  return !isOpen(release)
}

/** Returns whether a release is between its kickoff and its end. */
export function isUnderWay<R extends Pick<Release, 'status' | 'kickedOffAt'>>(
  release: R
): release is R & { kickedOffAt: Instant } {
  return release.status === 'active' && release.kickedOffAt !== null
}

/** The condition of a statement that a release waits or is worked on. */
export const open = (alias: string) =>
  `${alias}.status in (${OPEN.map((status) => `'${status}'`).join(', ')})`

/** The same of one that is worked on, from its kickoff to its end. */
export const underWay = (alias: string) =>
  `${alias}.status = 'active' and ${alias}.kicked_off_at is not null`

/** A release that an edit of an app reaches. */
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
    .whereRaw(open('releases'))
    .orderBy(LOWEST_FIRST)
    .select('id', 'status')
  if (only !== undefined) query.where('id', only)
  const found: { id: string; status: OpenStatus }[] = await query
  // Read one by one: what was done with a release may have changed the next.
  const cache = new EditCache()
  for (const { id, status: statusBefore } of found) {
    await work(await releaseById(scope, appId, id), { statusBefore, cache })
    await yieldToOthers()
  }
}
