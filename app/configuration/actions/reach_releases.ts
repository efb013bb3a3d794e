import type App from '#apps/models/app'
import { syncReleaseItems } from '#checklists/actions/sync_release_items'
import type { Scope } from '#foundation/scope'
import { copyWorkflow } from '#releases/actions/copy_workflow'
import { settle } from '#releases/actions/settle'
import Release from '#releases/models/release'

/**
 * Carries a changed app into the releases that have not ended: its workflow into upcoming ones
 * whole and into active ones where they are untouched, its settings into upcoming ones only
 * (`contract/product.md`, release life).
 */
export async function reachReleases(scope: Scope, app: App): Promise<void> {
  const releases = await scope
    .query(Release)
    .where('appId', app.id)
    .whereIn('status', ['upcoming', 'active'])
    .orderBy(['versionMajor', 'versionMinor', 'versionPatch'])
    .exec()
  for (const release of releases) {
    if (release.status === 'upcoming') release.settings = app.settings
    await copyWorkflow(scope, release)
    await syncReleaseItems(scope, release)
    await settle(scope, release)
  }
}
