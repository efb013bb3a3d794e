import { Moved } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { findRelease } from '#releases/queries/find_release'

/**
 * The release that a body or a query parameter names. A release whose version changed is
 * found by its old id too: the path has nothing that a redirect could replace.
 * @throws not_found
 */
export async function referredRelease(
  scope: Scope,
  appId: string,
  releaseId: string
): Promise<Release> {
  try {
    return await findRelease(scope, appId, releaseId)
  } catch (error) {
    if (!(error instanceof Moved)) throw error
    return findRelease(scope, appId, error.to)
  }
}
