import { modelFrom } from '#foundation/core/database/model_from'
import { of, select } from '#foundation/core/database/statement'
import { Moved } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { Version } from '#workflow/version'
import Release from '../models/release.js'
import { releases } from '../tables.js'
import {
  readRelease,
  readReleaseAt,
  readReleaseById,
  readReleaseStillThere,
  type FoundRelease,
} from './read_release.js'

const THERE = select(
  of(releases, 'r', ['id']),
  'from releases r where r.organization_id = :org and r.app_id = :appId and r.id = :id'
)

/** Returns the model of a release, of which there is only one per transaction. */
function modelOfFound(scope: Scope, { release: { publicId: _, ...row } }: FoundRelease) {
  return scope.once(`release ${row.id}`, async () => modelFrom(Release, row, scope.transaction))
}

/** Finds the model of an app's release at a version; null when there is none. */
export async function releaseAt(
  scope: Scope,
  appId: string,
  version: Version
): Promise<Release | null> {
  const found = await readReleaseAt(scope, appId, version)
  return found && modelOfFound(scope, found)
}

/** Finds the model of a release by its internal id. @throws Error when the app has none */
export async function releaseById(scope: Scope, appId: string, id: string): Promise<Release> {
  return modelOfFound(scope, await readReleaseById(scope, appId, id))
}

/** Finds the model of a release by its internal id; null if it has been deleted. */
export async function releaseStillThere(
  scope: Scope,
  appId: string,
  id: string
): Promise<Release | null> {
  const found = await readReleaseStillThere(scope, appId, id)
  return found && modelOfFound(scope, found)
}

/** Returns whether a release still exists. */
export async function isReleaseThere(scope: Scope, appId: string, id: string): Promise<boolean> {
  return (await scope.rows(THERE, { appId, id })).length > 0
}

/**
 * Finds the model of a release by its public id `<appId>:<version>`.
 * @throws not_found; Moved when the id is a former one
 */
export async function findRelease(
  scope: Scope,
  appId: string,
  releaseId: string
): Promise<Release> {
  return modelOfFound(scope, await readRelease(scope, appId, releaseId))
}

/**
 * Reads the release that a body or a query parameter names. A former id finds it too, because a
 * redirect can only replace an id in the path.
 * @throws not_found
 */
export async function readReferencedRelease(
  scope: Scope,
  appId: string,
  releaseId: string
): Promise<FoundRelease> {
  try {
    return await readRelease(scope, appId, releaseId)
  } catch (error) {
    if (!(error instanceof Moved)) throw error
    return readRelease(scope, appId, error.to)
  }
}

/** Finds the model of the release that a body or a query parameter names. @throws not_found */
export async function findReferencedRelease(
  scope: Scope,
  appId: string,
  releaseId: string
): Promise<Release> {
  return modelOfFound(scope, await readReferencedRelease(scope, appId, releaseId))
}
