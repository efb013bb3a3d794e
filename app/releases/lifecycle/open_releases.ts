import type { Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import type Release from '../models/release.js'
import { releaseById } from '../queries/find_release.js'
import { LOWEST_FIRST } from '../queries/version_sql.js'
import { EditCache } from './edit_cache.js'
import type { ReleaseStatus } from '../vocabulary.js'

const OPEN = ['upcoming', 'active'] as const

/** A status of a release that has not ended. */
type OpenStatus = (typeof OPEN)[number]
type EndedStatus = Exclude<ReleaseStatus, OpenStatus>

interface Standing {
  status: ReleaseStatus
}

/** Returns whether a release is upcoming or active. */
export function isOpen({ status }: Standing): boolean {
  return OPEN.some((each) => each === status)
}

/** Returns whether a release has ended, so that its content no longer changes. */
export function isEnded<S extends Standing>(release: S): release is S & { status: EndedStatus } {
  return !isOpen(release)
}

/** Returns whether a release is between its kickoff and its end. */
export function isUnderWay<R extends Pick<Release, 'status' | 'kickedOffAt'>>(
  release: R
): release is R & { kickedOffAt: Instant } {
  return release.status === 'active' && release.kickedOffAt !== null
}

/** SQL condition: a release is upcoming or active. */
export const open = (alias: string) =>
  `${alias}.status in (${OPEN.map((status) => `'${status}'`).join(', ')})`

/** SQL condition: a release is between its kickoff and its end. */
export const underWay = (alias: string) =>
  `${alias}.status = 'active' and ${alias}.kicked_off_at is not null`

/** The context of the work on one release. */
interface WorkContext {
  /** The status before any of the work, since a release that ends may make the next one active. */
  statusBefore: OpenStatus
  cache: EditCache
}

/**
 * Runs work for every upcoming and active release of an app, lowest version first. Yields to other
 * requests in between.
 * @param only internal id, if the work can only affect this release
 */
export async function forEachOpenRelease(
  scope: Scope,
  appId: string,
  work: (release: Release, context: WorkContext) => Promise<void>,
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
  // Releases are read one by one, because work on one may change the next.
  const cache = new EditCache()
  for (const { id, status: statusBefore } of found) {
    await work(await releaseById(scope, appId, id), { statusBefore, cache })
    await yieldToOthers()
  }
}
