import { cacheApp } from '#apps/queries/app_summary'
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
import { optional, text, type RowOf } from '#foundation/core/database/table'
import { Moved, refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { cachePerson, type PersonSummary } from '#organizations/queries/people'
import { parseVersion, type Version } from '#workflow/version'
import { parseReleaseId, publicReleaseId } from '../public_release_id.js'
import { releaseAliases, releases } from '../tables.js'
import { BOUND_VERSION, versionOf } from './version_sql.js'

/** What is known of a release: its row, and the id that clients use. */
export type ReleaseRow = RowOf<typeof releases> & { readonly publicId: string }

/** A release with its pilot. */
export interface FoundRelease {
  release: ReleaseRow
  pilot: PersonSummary | null
}

/** Releases with their pilots and their app; conditions and order come after. */
const RELEASES = select(
  {
    ...of(releases, 'r'),
    pilotEmail: as(optional(text()), 'u.email'),
    pilotName: as(optional(text()), 'u.name'),
    appName: as(text(), 'a.name'),
    ...of(apps, 'a', ['platform', 'appGroup']),
  },
  `from releases r
    join apps a on a.id = r.app_id
    left join users u on u.id = r.pilot_id
  where r.organization_id = :org and r.app_id = :appId`
)
const releasesWith = variants(RELEASES, '')
const AT_VERSION = extended(RELEASES, `and ${versionOf('r')} = ${BOUND_VERSION}`)
const BY_ID = extended(RELEASES, 'and r.id = :id')
const ALIAS = select(
  of(releaseAliases, 'a', ['releaseId']),
  `from release_aliases a where a.organization_id = :org and a.app_id = :appId
    and ${versionOf('a')} = ${BOUND_VERSION}`
)

/** Releases of an app by further conditions and an order, written out in SQL. */
export async function readReleases(
  scope: Scope,
  appId: string,
  more: string,
  bindings: Bindings
): Promise<FoundRelease[]> {
  return found(scope, await scope.rows(releasesWith(more), { appId, ...bindings }))
}

/** The release of an app at a version; null when there is none. */
export async function readReleaseAt(
  scope: Scope,
  appId: string,
  version: Version
): Promise<FoundRelease | null> {
  const rows = await scope.rows(AT_VERSION, { appId, ...version })
  const [first] = await found(scope, rows)
  return first ?? null
}

/** The release of an internal id. @throws when the app has none */
export async function readReleaseById(scope: Scope, appId: string, id: string) {
  const [first] = await found(scope, await scope.rows(BY_ID, { appId, id }))
  if (!first) throw new Error(`There is no release ${id}`)
  return first
}

/**
 * The release of a public id `<appId>:<version>`.
 * @throws not_found; Moved when the release has another version now
 */
export async function readRelease(
  scope: Scope,
  appId: string,
  releaseId: string
): Promise<FoundRelease> {
  const named = parseReleaseId(releaseId)
  const version = named.appId === appId ? parseVersion(named.version) : null
  if (!version) throw refuse('not_found')
  const release = await readReleaseAt(scope, appId, version)
  if (release) return release
  const [alias] = await scope.rows(ALIAS, { appId, ...version })
  if (!alias) throw refuse('not_found')
  const moved = await readReleaseById(scope, appId, alias.releaseId)
  throw new Moved(releaseId, moved.release.publicId)
}

type Row = RowOfSelect<typeof RELEASES>

/** Pilot and app are asked for again while the release is worked on. */
async function found(scope: Scope, rows: readonly Row[]): Promise<FoundRelease[]> {
  const results: FoundRelease[] = []
  for (const { pilotEmail, pilotName, appName, platform, appGroup, ...row } of rows) {
    cacheApp(scope, { id: row.appId, name: appName, platform, appGroup })
    const { pilotId } = row
    const pilot = pilotId === null ? null : { id: pilotId, email: pilotEmail!, name: pilotName }
    if (pilot) await cachePerson(scope, pilot)
    results.push({ release: { ...row, publicId: publicReleaseId(row) }, pilot })
  }
  return results
}
