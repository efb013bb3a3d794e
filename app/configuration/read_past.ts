import type { Scope } from '#foundation/core/scope'
import { wishStoreVersions } from '#stores/backfill/read_past_versions'
import { wishPastVersions } from '#version_control/backfill/read_tags'

/** Has the past versions of an app read from its tags and stores, as far as they were not yet. */
export async function readPast(scope: Scope, appId: string): Promise<void> {
  await wishPastVersions(scope, appId)
  await wishStoreVersions(scope, appId)
}
