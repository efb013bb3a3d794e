import type { Scope } from '#foundation/core/scope'
import { requestStoreVersions } from '#stores/backfill/read_past_versions'
import { requestPastVersions } from '#version_control/backfill/read_tags'

/** Has the past versions of an app read from its tags and stores, as far as they were not yet. */
export async function readPast(scope: Scope, appId: string): Promise<void> {
  await requestPastVersions(scope, appId)
  await requestStoreVersions(scope, appId)
}
