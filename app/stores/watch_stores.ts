import { change, of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { isUnderWay, underWay } from '#releases/open_releases'
import { lowestFirst } from '#releases/queries/version_sql'
import { releases } from '#releases/tables'
import { storesAndBeta, type StoreTarget } from './queries/store_targets.js'
import { storeWatches } from './tables.js'
import type { Watched } from './vocabulary.js'
import { versionsKind, WATCH_KINDS } from './work_kinds.js'

const OF_APP = select(
  of(storeWatches, 'w', ['integrationId', 'what']),
  'from store_watches w where w.organization_id = :org and w.app_id = :appId'
)
const FORGET = change(
  `delete from store_watches
  where organization_id = :org and integration_id = :integrationId and what = :what`
)
const FORGET_APP = change(
  'delete from store_watches where organization_id = :org and app_id = :appId'
)
const UNDER_WAY = select(
  of(releases, 'r', ['id', 'version']),
  `from releases r where r.organization_id = :org and r.app_id = :appId
    and ${underWay('r')} ${lowestFirst('r')}`
)
const REVIEWED = select(
  of(releases, 'r', ['id']),
  `from releases r where r.organization_id = :org and r.app_id = :appId
    and (r.submitted_at is not null or r.released_at is not null) limit 1`
)

/** The releases of an app that are under way: what stores show of their versions is looked at. */
export const releasesUnderWay = (scope: Scope, appId: string) => scope.rows(UNDER_WAY, { appId })

/** Whether something of an app's stores is still to be looked at. */
export async function isWatched(scope: Scope, appId: string): Promise<boolean> {
  return (await releasesUnderWay(scope, appId)).length > 0
}

/** Whether an app may have reviews: a version of it was submitted, or released. */
export async function isReviewed(scope: Scope, appId: string): Promise<boolean> {
  return (await scope.rows(REVIEWED, { appId })).length > 0
}

/**
 * Has the stores of an app looked at while a release is under way, and their reviews from the
 * first submission on. An app without any costs nothing, nor does what is looked at already.
 */
export async function watchStores(scope: Scope, release: Release): Promise<void> {
  const { appId, submittedAt, releasedAt } = release
  const isWorkedOn = isUnderWay(release)
  const hasReviews = submittedAt !== null || releasedAt !== null
  if (!isWorkedOn && !hasReviews) return
  const targets = await storesAndBeta(scope, appId)
  if (targets.length === 0) return
  const watched = await scope.once(`store watches of ${appId}`, async () => {
    const rows = await scope.rows(OF_APP, { appId })
    return new Set(rows.map(({ integrationId, what }) => `${integrationId} ${what}`))
  })
  for (const { kind, integrationId, connectionId } of targets) {
    const wanted: Watched[] = []
    if (isWorkedOn && kind === 'appStore') wanted.push('versions', 'builds')
    if (isWorkedOn && kind === 'betaTesting') wanted.push('betaBuilds')
    if (hasReviews && kind === 'appStore') wanted.push('reviews')
    for (const what of wanted) {
      const key = `${integrationId} ${what}`
      if (watched.has(key)) continue
      watched.add(key)
      await scope.insert(storeWatches, [{ appId, integrationId, what }])
      const payload = { appId, integrationId, connectionId }
      await scope.agenda.plan(WATCH_KINDS[what], { subject: integrationId, payload })
    }
  }
}

/** Has the versions in a store polled: something was decided of one. */
export async function watchVersions(
  scope: Scope,
  { appId, integrationId, connectionId }: StoreTarget
): Promise<void> {
  const rows = await scope.rows(OF_APP, { appId })
  const isDone = rows.some(
    (each) => each.integrationId === integrationId && each.what === 'versions'
  )
  if (isDone) return
  await scope.insert(storeWatches, [{ appId, integrationId, what: 'versions' }])
  const payload = { appId, integrationId, connectionId }
  await scope.agenda.plan(versionsKind, { subject: integrationId, payload })
}

/** Notes that something is looked at no more; the look itself ends with its entry. */
export async function endWatch(scope: Scope, integrationId: string, what: Watched): Promise<void> {
  await scope.change(FORGET, { integrationId, what })
}

/** Looks at the stores of an app no more. */
export async function forgetStores(scope: Scope, appId: string): Promise<void> {
  for (const { integrationId, what } of await scope.rows(OF_APP, { appId })) {
    await scope.agenda.cancel(WATCH_KINDS[what], integrationId)
  }
  await scope.change(FORGET_APP, { appId })
}
