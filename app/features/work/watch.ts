import type { Scope } from '#foundation/core/scope'
import { integrationsOfKind } from '#integrations/queries/app_integrations'
import { isOpen } from '#releases/lifecycle/open_releases'
import type Release from '#releases/models/release'
import { codeKind, ticketsKind } from '../work_kinds.js'
import { isUnreadImport } from './imported_code.js'
import { recordWatches, releaseFeaturesOf } from '../queries/release_features.js'

/** The fields of a release that determine what is polled. */
type Watched = Pick<Release, 'id' | 'appId' | 'status' | 'createType' | 'imported' | 'tag'>

/**
 * Schedules polls of the code and the tickets of an open release, if its app has the integrations.
 * A rollback is not polled: it ships earlier code. The code of an imported version is read once.
 * When a release ends, the polls that are already scheduled run one last time.
 */
export async function watchFeatures(scope: Scope, release: Watched): Promise<void> {
  const features = await releaseFeaturesOf(scope, release.id)
  const before = {
    watchesCode: features?.watchesCode ?? false,
    watchesTickets: features?.watchesTickets ?? false,
  }
  const isWanted = isOpen(release) && release.createType !== 'rollback'
  const wantsCode = isWanted || isUnreadImport(release, features)
  if (!wantsCode && !before.watchesCode && !before.watchesTickets) return
  const now = {
    watchesCode: wantsCode && (await has(scope, release.appId, 'versionControl')),
    watchesTickets: isWanted && (await has(scope, release.appId, 'issueTracking')),
  }
  if (now.watchesCode === before.watchesCode && now.watchesTickets === before.watchesTickets) return
  await recordWatches(scope, release, now)
  const draft = { subject: release.id, payload: { appId: release.appId } }
  if (now.watchesCode && !before.watchesCode) await scope.jobs.plan(codeKind, draft)
  if (now.watchesTickets && !before.watchesTickets) await scope.jobs.plan(ticketsKind, draft)
}

async function has(scope: Scope, appId: string, kind: 'versionControl' | 'issueTracking') {
  return (await integrationsOfKind(scope, appId, kind)).length > 0
}

/**
 * Polls the code or the tickets of all releases of an app at once, after a change at the provider.
 */
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
