import { refuse } from '#foundation/core/problems/problem'
import type { PageRequest } from '#foundation/api/pages'
import type { Scope } from '#foundation/core/scope'
import { parseVersion } from '#workflow/version'
import type { ListReleasesQuery } from '../validators/release_input.js'
import { readReleases, type FoundRelease } from './read_release.js'
import { BOUND_VERSION, newestFirst, versionOf } from './version_sql.js'

/** The keyset of the list: no two releases of an app share a version. */
export function releaseKeys({ release }: FoundRelease): number[] {
  return [release.versionMajor, release.versionMinor, release.versionPatch]
}

/** Releases of an app, newest version first. */
export async function listReleases(
  scope: Scope,
  appId: string,
  filters: ListReleasesQuery,
  { limit, after }: PageRequest
): Promise<FoundRelease[]> {
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
      ...demandVersionParameter(filters.version),
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
function demandVersionParameter(text: string) {
  const version = parseVersion(text)
  if (version) return version
  const message = 'A version has 1 to 3 numeric parts.'
  throw refuse('invalid_query', {
    detail: message,
    errors: [{ parameter: 'version', code: 'version', message }],
  })
}
