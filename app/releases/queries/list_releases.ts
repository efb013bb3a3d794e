import { refuse } from '#foundation/core/problems/problem'
import type { PageRequest } from '#foundation/api/pages'
import type { Scope } from '#foundation/core/scope'
import { parseVersion } from '#workflow/version'
import type { ListReleasesQuery } from '../validators/release_input.js'
import { readReleases, type FoundRelease } from './read_release.js'

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
    add('(r.version_major, r.version_minor, r.version_patch) = (:major, :minor, :patch)', {
      ...demandVersionParameter(filters.version),
    })
  }
  if (after) {
    const [lastMajor, lastMinor, lastPatch] = after
    add(
      '(r.version_major, r.version_minor, r.version_patch) < (:lastMajor, :lastMinor, :lastPatch)',
      { lastMajor, lastMinor, lastPatch }
    )
  }
  const order = 'order by r.version_major desc, r.version_minor desc, r.version_patch desc'
  return readReleases(scope, appId, `${conditions.join(' ')} ${order} limit :limit`, bindings)
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
