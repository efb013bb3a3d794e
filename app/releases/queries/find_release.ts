import { Moved, refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { parseVersion, type Version } from '#workflow/version'
import Release from '../models/release.js'

/** The columns of a version. */
export function versionColumns(version: Version) {
  return {
    version_major: version.major,
    version_minor: version.minor,
    version_patch: version.patch,
  }
}

/** The release of an app at a version; null when there is none. */
export async function releaseAt(
  scope: Scope,
  appId: string,
  version: Version
): Promise<Release | null> {
  return scope
    .query(Release)
    .where({ appId, versionMajor: version.major })
    .where({ versionMinor: version.minor, versionPatch: version.patch })
    .first()
}

/**
 * The release of a public id `<appId>:<version>`.
 * @throws not_found; Moved when the release has another version now.
 */
export async function findRelease(
  scope: Scope,
  appId: string,
  releaseId: string
): Promise<Release> {
  const version = releaseId.startsWith(`${appId}:`)
    ? parseVersion(releaseId.slice(appId.length + 1))
    : null
  if (!version) throw refuse('not_found')
  const release = await releaseAt(scope, appId, version)
  if (release) return release

  const alias = await scope
    .table('release_aliases')
    .where('app_id', appId)
    .where(versionColumns(version))
    .first()
  if (!alias) throw refuse('not_found')
  const moved = await scope.query(Release).where('id', alias.release_id).firstOrFail()
  throw new Moved(releaseId, moved.publicId)
}
