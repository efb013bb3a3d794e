import { change } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { normalVersion } from '#workflow/version'
import { changePlan } from './change_plan.js'
import { chooseNewest } from '../builds/choose_build.js'
import { storeSettings } from '../queries/store_settings.js'
import { storesOf } from '../queries/store_targets.js'

const CLAIM = change(
  `update app_store_builds set release_id = :releaseId
  where organization_id = :org and app_id = :appId and version = :version and release_id is null`
)

/**
 * Gives a new release the builds of its version that stores already had, and the app's store
 * settings; hotfixes get no settings.
 */
export async function beginInStores(scope: Scope, release: Release): Promise<void> {
  const { id: releaseId, appId } = release
  const targets = await storesOf(scope, appId)
  if (targets.length === 0) return
  await scope.change(CLAIM, { releaseId, appId, version: normalVersion(release.parts) })
  for (const target of targets) {
    if (release.createType !== 'hotfix') {
      const settings = await storeSettings(scope, target)
      await changePlan(scope, releaseId, target, { settings })
    }
    await chooseNewest(scope, release, target)
  }
}
