import { cacheApp, cacheChat, HAS_CHAT } from '#apps/queries/app_summary'
import { apps } from '#apps/tables'
import {
  as,
  extended,
  of,
  select,
  variants,
  type Bindings,
  type RowOfSelect,
} from '#foundation/core/database/statement'
import { flag, integer, optional, text, type RowOf } from '#foundation/core/database/table'
import { Moved, refuse } from '#foundation/core/problems/problem'
import type { Prefetcher, Scope } from '#foundation/core/scope'
import { cachePerson, type PersonSummary } from '#organizations/queries/people'
import { parseVersion, type Version } from '#workflow/version'
import { parseReleaseId, publicReleaseId } from '../names/public_release_id.js'
import { releaseAliases, releases } from '../tables.js'
import type { ReleaseStatus } from '../vocabulary.js'
import { BOUND_VERSION, lowest, newest, onTrain, versionOf } from './version_sql.js'

/** The row of a release, and the id that clients use. */
export type ReleaseRow = RowOf<typeof releases> & { readonly publicId: string }

/** A release with its pilot. */
export interface FoundRelease {
  release: ReleaseRow
  pilot: PersonSummary | null
}

/** Columns of the pilot and the app that are read along with a release. */
const PILOT_AND_APP = {
  pilotEmail: as(optional(text()), 'u.email'),
  pilotName: as(optional(text()), 'u.name'),
  appName: as(text(), 'a.name'),
  ...of(apps, 'a', ['platform', 'appGroup']),
}

const FROM_ALL = `from releases r
    join apps a on a.id = r.app_id
    left join users u on u.id = r.pilot_id
  where r.organization_id = :org`
const FROM = `${FROM_ALL} and r.app_id = :appId`

/** Releases with their pilots and their app. Conditions and an order are appended. */
const RELEASES = select(
  { ...of(releases, 'r'), ...PILOT_AND_APP, hasChat: as(optional(flag()), HAS_CHAT) },
  FROM
)

const WITHOUT_METADATA = {
  ...of(releases, 'r'),
  ...PILOT_AND_APP,
  hasChat: as(optional(flag()), 'null'),
  customMetadata: as(releases.columns.customMetadata, 'null'),
}

/** Releases without their custom metadata, which may be large. */
const LISTED = select(
  {
    ...WITHOUT_METADATA,
    metadataCharacters: as(integer(), 'coalesce(length(r.custom_metadata), 0)'),
  },
  FROM
)

/** SQL expression: the id of the first release of an app `x` with a status. */
const first = (status: ReleaseStatus, order: string) =>
  `(select r.id from releases r where r.app_id = x.id and r.status = '${status}'
    order by ${order} limit 1)`
const TRAIN_FIRST = `case when ${onTrain('r')} then 0 else 1 end, ${lowest('r')}`

/** The release of each app to show: the active one, else the next, else the last completed one. */
const SHOWN = select(
  WITHOUT_METADATA,
  `${FROM_ALL} and r.id in (
    select coalesce(
      ${first('active', TRAIN_FIRST)},
      ${first('upcoming', TRAIN_FIRST)},
      ${first('completed', newest('r'))})
    from apps x where x.organization_id = :org and x.id in json(:appIds))`
)
const listedWith = variants(LISTED, '')
const AT_VERSION = extended(RELEASES, `and ${versionOf('r')} = ${BOUND_VERSION}`)
const BY_ID = extended(RELEASES, 'and r.id = :id')
const ALIAS = select(
  of(releaseAliases, 'a', ['releaseId']),
  `from release_aliases a where a.organization_id = :org and a.app_id = :appId
    and ${versionOf('a')} = ${BOUND_VERSION}`
)

/** A release without its custom metadata, but with the size of that. */
export interface ListedRelease extends FoundRelease {
  metadataCharacters: number
}

/** Reads releases of an app. @param more further conditions and an order, as SQL */
export async function readReleases(
  scope: Scope,
  appId: string,
  more: string,
  bindings: Bindings
): Promise<ListedRelease[]> {
  const rows = await scope.rows(listedWith(more), { appId, ...bindings })
  const results: ListedRelease[] = []
  for (const { metadataCharacters, ...row } of rows) {
    results.push({ ...(await foundRelease(scope, row)), metadataCharacters })
  }
  return results
}

/**
 * Returns, by app, the release to show, without its custom metadata: the active one (of the train,
 * if possible), else the next upcoming one, else the newest completed one.
 */
export async function readShownReleases(
  scope: Scope,
  appIds: readonly string[]
): Promise<Map<string, FoundRelease>> {
  const shown = new Map<string, FoundRelease>()
  for (const row of await scope.rows(SHOWN, { appIds: JSON.stringify(appIds) })) {
    shown.set(row.appId, await foundRelease(scope, row))
  }
  return shown
}

/** Returns the release of an app at a version; null when there is none. */
export async function readReleaseAt(
  scope: Scope,
  appId: string,
  version: Version
): Promise<FoundRelease | null> {
  const [row] = await scope.rows(AT_VERSION, { appId, ...version })
  return row ? foundRelease(scope, row) : null
}

/** Prefetches the release of a public id, before `readRelease` is called. */
export function prefetchRelease(asker: Prefetcher, appId: string, releaseId: string): void {
  const version = versionNamed(appId, releaseId)
  if (version) asker.prefetch(AT_VERSION, { appId, ...version })
}

/** Reads a release by its internal id. @throws Error when the app has none */
export async function readReleaseById(scope: Scope, appId: string, id: string) {
  const found = await readReleaseStillThere(scope, appId, id)
  if (!found) throw new Error(`There is no release ${id}`)
  return found
}

/** Reads a release by its internal id; null if it has been deleted. */
export async function readReleaseStillThere(scope: Scope, appId: string, id: string) {
  const [row] = await scope.rows(BY_ID, { appId, id })
  return row ? foundRelease(scope, row) : null
}

/**
 * Reads a release by its public id `<appId>:<version>`.
 * @throws not_found; Moved when the id is a former one
 */
export async function readRelease(
  scope: Scope,
  appId: string,
  releaseId: string
): Promise<FoundRelease> {
  const version = versionNamed(appId, releaseId)
  if (!version) throw refuse('not_found')
  const release = await readReleaseAt(scope, appId, version)
  if (release) return release
  const [alias] = await scope.rows(ALIAS, { appId, ...version })
  if (!alias) throw refuse('not_found')
  const moved = await readReleaseById(scope, appId, alias.releaseId)
  throw new Moved(releaseId, moved.release.publicId)
}

/** Returns the version that a public id names; null if the id is invalid or of another app. */
export function versionNamed(appId: string, releaseId: string): Version | null {
  const named = parseReleaseId(releaseId)
  return named.appId === appId ? parseVersion(named.version) : null
}

type Row = RowOfSelect<typeof RELEASES>

/** Splits a row, and caches its app and pilot, which later code of the request needs too. */
async function foundRelease(
  scope: Scope,
  { pilotEmail, pilotName, appName, platform, appGroup, hasChat, ...row }: Row
): Promise<FoundRelease> {
  cacheApp(scope, { id: row.appId, name: appName, platform, appGroup })
  if (hasChat !== null) cacheChat(scope, row.appId, hasChat)
  const { pilotId } = row
  const pilot = pilotId === null ? null : { id: pilotId, email: pilotEmail!, name: pilotName }
  if (pilot) await cachePerson(scope, pilot)
  return { release: { ...row, publicId: publicReleaseId(row) }, pilot }
}
