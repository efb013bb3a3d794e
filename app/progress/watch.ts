import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { isOpen } from '#releases/lifecycle/open_releases'
import { hasSource, isWatched, recordWatched } from './progress.js'
import { WATCHED, type Watched } from './vocabulary.js'
import { WATCH_KINDS } from './work_kinds.js'

const WATCHED_THINGS = Object.keys(WATCHED) as Watched[]

/**
 * Plans the polls of translations and test runs while a release is open. A release that is over is
 * polled one last time.
 */
export async function watchProgress(
  scope: Scope,
  release: Pick<Release, 'id' | 'appId' | 'status'>,
  steps: readonly { type: string }[]
): Promise<void> {
  for (const what of WATCHED_THINGS) {
    if (!steps.some(({ type }) => type === WATCHED[what].step)) continue
    if (!isOpen(release)) continue
    if (!(await hasSource(scope, release.appId, what))) continue
    if (await isWatched(scope, release.id, what)) continue
    await recordWatched(scope, release, what, true)
    const payload = { appId: release.appId }
    await scope.jobs.plan(WATCH_KINDS[what], { subject: release.id, payload })
  }
}

/**
 * Makes the polls of all watched releases of an app due now, because something changed at a
 * provider.
 */
export async function pollNow(scope: Scope, appId: string, what: Watched): Promise<void> {
  const rows: { release_id: string }[] = await scope
    .table('release_progress')
    .where({ app_id: appId, what, is_watched: true })
    .select('release_id')
  for (const { release_id: id } of rows) await scope.jobs.move(WATCH_KINDS[what], id, scope.now)
}
