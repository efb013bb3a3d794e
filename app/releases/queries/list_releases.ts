import { refuse } from '#foundation/problems/problem'
import type { PageRequest } from '#foundation/pages'
import type { Scope } from '#foundation/scope'
import { parseVersion } from '#foundation/versions'
import Release from '../models/release.js'
import type { ListReleasesQuery } from '../validators/release_input.js'

/** The keyset of the list: no two releases of an app share a version. */
export function releaseKeys(release: Release): number[] {
  return [release.versionMajor, release.versionMinor, release.versionPatch]
}

/** Releases of an app, newest version first. */
export async function listReleases(
  scope: Scope,
  appId: string,
  filters: ListReleasesQuery,
  { limit, after }: PageRequest
): Promise<Release[]> {
  const query = scope.query(Release).where('appId', appId)
  if (filters.status) query.where('status', filters.status)
  if (filters.releaseType) query.where('releaseType', filters.releaseType)
  if (filters.createdAfter) query.where('createdAt', '>', filters.createdAfter)
  if (filters.createdBefore) query.where('createdAt', '<', filters.createdBefore)
  if (filters.version) {
    const version = parseVersion(filters.version)
    if (!version) {
      const message = 'A version has 1 to 3 numeric parts.'
      throw refuse('invalid_query', {
        detail: message,
        errors: [{ parameter: 'version', code: 'version', message }],
      })
    }
    query
      .where('versionMajor', version.major)
      .where({ versionMinor: version.minor, versionPatch: version.patch })
  }
  if (after) query.whereRaw('(version_major, version_minor, version_patch) < (?, ?, ?)', [...after])
  return query
    .orderBy('versionMajor', 'desc')
    .orderBy('versionMinor', 'desc')
    .orderBy('versionPatch', 'desc')
    .limit(limit)
    .exec()
}
