import type { Scope } from '#foundation/core/scope'
import { integrationsOfKind } from '#integrations/queries/app_integrations'
import { isOpen } from '#releases/lifecycle/open_releases'
import type Release from '#releases/models/release'
import { codeKind, ticketsKind } from '../work_kinds.js'
import { isUnreadImport } from './imported_code.js'
import { recordWatches, releaseFeaturesOf } from '../queries/release_features.js'

/** The members of a release that decide what is polled. */
type Watched = Pick<Release, 'id' | 'appId' | 'status' | 'createType' | 'imported' | 'tag'>

/**
 * Plans polls of a release's code and tickets while it is open, as far as its app has integrations.
 * A rollback is not polled: it ships earlier code. The code of a past version is read once.
 */
export async function watchFeatures(scope: Scope, release: Watched): Promise<void> {
  const features = await releaseFeaturesOf(scope, release.id)
  const was = {
    watchesCode: features?.watchesCode ?? false,
    watchesTickets: features?.watchesTickets ?? false,
  }
  const isWanted = isOpen(release) && release.createType !== 'rollback'
  const wantsCode = isWanted || isUnreadImport(release, features)
  if (!wantsCode && !was.watchesCode && !was.watchesTickets) return
  const now = {
    watchesCode: wantsCode && (await has(scope, release.appId, 'versionControl')),
    watchesTickets: isWanted && (await has(scope, release.appId, 'issueTracking')),
  }
  if (now.watchesCode === was.watchesCode && now.watchesTickets === was.watchesTickets) return
  await recordWatches(scope, release, now)
  const draft = { subject: release.id, payload: { appId: release.appId } }
  if (now.watchesCode && !was.watchesCode) await scope.jobs.plan(codeKind, draft)
  if (now.watchesTickets && !was.watchesTickets) await scope.jobs.plan(ticketsKind, draft)
  // A release that is over is polled once more, and then never again.
}

async function has(scope: Scope, appId: string, kind: 'versionControl' | 'issueTracking') {
  return (await integrationsOfKind(scope, appId, kind)).length > 0
}

/** Polls code or tickets of all releases of an app now, since something changed at a provider. */
export async function pollNow(
  scope: Scope,
  appId: string,
  what: 'versionControl' | 'issueTracking'
): Promise<void> {
  const kind = what === 'versionControl' ? codeKind : ticketsKind
  const column = what === 'versionControl' ? 'watches_code' : 'watches_tickets'
  const rows: { release_id: string }[] = await scope
    .table('release_features')
    .where({ app_id: appId, [column]: true })
    .select('release_id')
  for (const { release_id: id } of rows) await scope.jobs.move(kind, id, scope.now)
}
