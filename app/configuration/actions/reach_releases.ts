import type App from '#apps/models/app'
import { syncReleaseItems } from '#checklists/actions/sync_release_items'
import type { Scope } from '#foundation/core/scope'
import { copyWorkflow } from '#releases/actions/copy_workflow'
import { settle } from '#releases/actions/settle'
import Release from '#releases/models/release'

/**
 * Carries a changed app into the releases that have not ended: its workflow into upcoming ones
 * whole and into active ones where they are untouched, its settings into upcoming ones only
 * (`contract/product.md`, release life).
 */
export async function reachReleases(scope: Scope, app: App): Promise<void> {
  const open: { id: string; status: string }[] = await scope
    .table('releases')
    .where('app_id', app.id)
    .whereIn('status', ['upcoming', 'active'])
    .orderBy(['version_major', 'version_minor', 'version_patch'])
    .select('id', 'status')
  for (const { id, status } of open) {
    // Read one by one: a release that ends moves the train, and so the next one.
    const release = await scope.query(Release).where('id', id).firstOrFail()
    if (status === 'upcoming') release.settings = app.settings
    await copyWorkflow(scope, release)
    await syncReleaseItems(scope, release)
    await settle(scope, release)
  }
}
