import type { Scope } from '#foundation/core/scope'
import { requestStoreVersions } from '#stores/backfill/read_past_versions'
import { requestPastVersions } from '#version_control/backfill/read_tags'

/**
 * Requests that past versions of an app are read from its tags and stores, unless they were
 * already.
 */
export async function readPast(scope: Scope, appId: string): Promise<void> {
  await requestPastVersions(scope, appId)
  await requestStoreVersions(scope, appId)
}
