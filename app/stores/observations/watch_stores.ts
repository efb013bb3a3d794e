import { later } from '#foundation/core/clock'
import { change, of, select } from '#foundation/core/database/statement'
import { DAY } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { isUnderWay, underWay } from '#releases/lifecycle/open_releases'
import { lowestFirst } from '#releases/queries/version_sql'
import { releases } from '#releases/tables'
import { presentVersions } from '../queries/store_record.js'
import { storesAndBeta, type StoreTarget } from '../queries/store_targets.js'
import type { StoreRecord } from '../reconciler/record.js'
import { isMoving, isOffered } from '../reconciler/states.js'
import { storeWatches } from '../tables.js'
import type { VersionPace, Watched } from '../vocabulary.js'
import { WATCH_KINDS } from '../work_kinds.js'

const SELECT_BY_APP = select(
  of(storeWatches, 'w', ['integrationId', 'what']),
  'from store_watches w where w.organization_id = :org and w.app_id = :appId'
)
const DELETE = change(
  `delete from store_watches
  where organization_id = :org and integration_id = :integrationId and what = :what`
)
const DELETE_APP = change(
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

/** Returns the releases of an app that are under way and whose store versions are polled. */
export const releasesUnderWay = (scope: Scope, appId: string) => scope.rows(UNDER_WAY, { appId })

/** Returns whether an app has releases under way, so that its stores are polled. */
export async function isWatched(scope: Scope, appId: string): Promise<boolean> {
  return (await releasesUnderWay(scope, appId)).length > 0
}

/** Returns whether an app may have reviews: one of its versions was submitted or released. */
export async function isReviewed(scope: Scope, appId: string): Promise<boolean> {
  return (await scope.rows(REVIEWED, { appId })).length > 0
}

/** Returns how often the versions of a store are polled; null if they are not. */
export async function paceOf(
  scope: Scope,
  target: Pick<StoreTarget, 'appId' | 'integrationId'>,
  record: StoreRecord
): Promise<VersionPace | null> {
  if (isMoving(record) || (await isWatched(scope, target.appId))) return 'versions'
  const present = await presentVersions(scope, target)
  return present.some(({ known }) => isOffered(record, known)) ? 'liveVersions' : null
}

/**
 * Starts the polls of an app's stores: of versions and builds while a release is under way, and of
 * reviews from the first submission on.
 */
export async function watchStores(scope: Scope, release: Release): Promise<void> {
  const { appId, submittedAt, releasedAt } = release
  const isInProgress = isUnderWay(release)
  const hasReviews = submittedAt !== null || releasedAt !== null
  if (!isInProgress && !hasReviews) return
  const targets = await storesAndBeta(scope, appId)
  if (targets.length === 0) return
  for (const target of targets) {
    const { kind } = target
    const watches: Watched[] = []
    if (isInProgress && kind === 'appStore') watches.push('versions', 'builds')
    if (isInProgress && kind === 'betaTesting') watches.push('betaBuilds')
    if (hasReviews && kind === 'appStore') watches.push('reviews')
    for (const what of watches) await watch(scope, target, what)
  }
}

/** Returns the current polls of an app, as integration and kind. */
const watchesOf = (scope: Scope, appId: string): Promise<Set<string>> =>
  scope.once(`store watches of ${appId}`, async () => {
    const rows = await scope.rows(SELECT_BY_APP, { appId })
    return new Set(rows.map(({ integrationId, what }) => `${integrationId} ${what}`))
  })

/** Interval between two polls of versions that no longer change, in milliseconds. */
export const LIVE_VERSIONS_INTERVAL = DAY

/**
 * Starts a poll of a store unless it is already running. A poll of `versions` replaces the slower
 * poll of `liveVersions`.
 */
export async function watch(
  scope: Scope,
  {
    appId,
    integrationId,
    connectionId,
  }: Pick<StoreTarget, 'appId' | 'integrationId' | 'connectionId'>,
  what: Watched
): Promise<void> {
  const watched = await watchesOf(scope, appId)
  const key = `${integrationId} ${what}`
  if (watched.has(key)) return
  watched.add(key)
  await scope.insert(storeWatches, [{ appId, integrationId, what }])
  const payload = { appId, integrationId, connectionId }
  const at = what === 'liveVersions' ? later(scope.now, LIVE_VERSIONS_INTERVAL) : scope.now
  await scope.jobs.plan(WATCH_KINDS[what], { subject: integrationId, at, payload })
  if (what !== 'versions' || !watched.has(`${integrationId} liveVersions`)) return
  await scope.jobs.cancel(WATCH_KINDS.liveVersions, integrationId)
  await endWatch(scope, { appId, integrationId }, 'liveVersions')
}

/** Removes the entry of a poll. Its job then ends by itself. */
export async function endWatch(
  scope: Scope,
  { appId, integrationId }: Pick<StoreTarget, 'appId' | 'integrationId'>,
  what: Watched
): Promise<void> {
  ;(await watchesOf(scope, appId)).delete(`${integrationId} ${what}`)
  await scope.change(DELETE, { integrationId, what })
}

/** Ends all polls of an app's stores. */
export async function endWatches(scope: Scope, appId: string): Promise<void> {
  for (const { integrationId, what } of await scope.rows(SELECT_BY_APP, { appId })) {
    await scope.jobs.cancel(WATCH_KINDS[what], integrationId)
  }
  await scope.change(DELETE_APP, { appId })
}
