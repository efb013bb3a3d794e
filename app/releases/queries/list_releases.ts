import { refuse } from '#foundation/core/problems/problem'
import type { PageRequest } from '#foundation/api/pages'
import type { Scope } from '#foundation/core/scope'
import { parseVersion } from '#workflow/version'
import type { ListReleasesQuery } from '../validators/release_input.js'
import { of, select } from '#foundation/core/database/statement'
import type { ReleaseEntity } from '../entities.js'
import { releases } from '../tables.js'
import { readReleases, type ListedRelease } from './read_release.js'
import { releaseEntities } from './release_entities.js'
import { BOUND_VERSION, newestFirst, versionOf } from './version_sql.js'

/** Returns the cursor keys of a release: the version, which is unique within the app. */
export function releaseKeys({ release }: ListedRelease): number[] {
  return [release.versionMajor, release.versionMinor, release.versionPatch]
}

/** Returns the releases of an app, newest version first. */
export async function listReleases(
  scope: Scope,
  appId: string,
  filters: ListReleasesQuery,
  { limit, after }: PageRequest
): Promise<ListedRelease[]> {
  const conditions: string[] = []
  const bindings: Record<string, string | number> = { limit }
  const add = (condition: string, values: Record<string, string | number>) => {
    conditions.push(`and ${condition}`)
    Object.assign(bindings, values)
  }
  const { status, releaseType, createdAfter, createdBefore } = filters
  if (status) add('r.status = :status', { status })
  if (releaseType) add('r.release_type = :releaseType', { releaseType })
  if (createdAfter) add('r.created_at > :createdAfter', { createdAfter })
  if (createdBefore) add('r.created_at < :createdBefore', { createdBefore })
  if (filters.version) {
    add(`${versionOf('r')} = ${BOUND_VERSION}`, {
      ...requireVersionParameter(filters.version),
    })
  }
  if (after) {
    const [lastMajor, lastMinor, lastPatch] = after
    const last = '(:lastMajor, :lastMinor, :lastPatch)'
    add(`${versionOf('r')} < ${last}`, { lastMajor, lastMinor, lastPatch })
  }
  return readReleases(
    scope,
    appId,
    `${conditions.join(' ')} ${newestFirst('r')} limit :limit`,
    bindings
  )
}

/** @throws invalid_query */
function requireVersionParameter(text: string) {
  const version = parseVersion(text)
  if (version) return version
  const message = 'A version has 1 to 3 numeric parts.'
  throw refuse('invalid_query', {
    detail: message,
    errors: [{ parameter: 'version', code: 'version', message }],
  })
}

const METADATA = select(
  of(releases, 'r', ['id', 'customMetadata']),
  'from releases r where r.organization_id = :org and r.id in json(:ids)'
)

/** Returns releases as lists show them: without custom metadata, unless it is requested. */
export async function listedReleases(
  scope: Scope,
  found: readonly ListedRelease[],
  { include = [] }: Pick<ListReleasesQuery, 'include'>
): Promise<Partial<ReleaseEntity>[]> {
  const entities = await releaseEntities(scope, found)
  if (!include.includes('customMetadata')) {
    return entities.map(({ customMetadata: _, ...entity }) => entity)
  }
  const ids = JSON.stringify(found.map(({ release }) => release.id))
  const rows = await scope.rows(METADATA, { ids })
  const metadata = new Map(rows.map((row) => [row.id, row.customMetadata]))
  return entities.map((entity, index) => {
    const entries = metadata.get(found[index].release.id)
    return { ...entity, customMetadata: entries ? { entries } : null }
  })
}
