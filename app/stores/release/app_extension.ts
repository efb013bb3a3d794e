import type { AppExtension } from '#apps/extensions'
import { dereferenceFiles } from '#foundation/core/files/held_files'
import { integrationsOfApp } from '#integrations/queries/app_integrations'
import { knownProviders } from '#integrations/queries/known_providers'
import { requireNoneLive } from '#releases/preconditions/require_not_live'
import { leavePairs } from '../pairs/part_releases.js'
import { wakeStores } from '../observations/wake_stores.js'
import { endWatches } from '../observations/watch_stores.js'

/** The part of stores in an app. */
export const appExtension: AppExtension = {
  /**
   * Refuses to remove or replace a store with live versions, since nobody could stop or watch them
   * any more.
   */
  async requireChangeable(scope, { id: appId }, { integrations, destinationIds }) {
    const stores = (await integrationsOfApp(scope, appId)).filter(({ kind }) => kind === 'appStore')
    const providers = await knownProviders(scope)
    const isKept = ({
      key,
      type,
      kind,
      pluginId,
      data,
      destinationId,
    }: (typeof stores)[number]) => {
      const kept = integrations.get(key)
      if (!kept || (destinationId !== null && !destinationIds.has(destinationId))) return false
      const provider = providers.find(({ id }) => id === kept.provider)
      const isSameStore = provider?.vendor === pluginId && kept.data.bundleId === data.bundleId
      return isSameStore && kept.type === type && kept.kind === kind
    }
    const gone = stores.filter((each) => !isKept(each))
    if (gone.length === 0) return
    await requireNoneLive(scope, appId, {
      what: 'its store is neither removed nor another one, as nobody would stop or watch that any more',
      instead: 'Stop or withdraw it first.',
      allowedActions: ['developerReject', 'redButton', 'halt'],
      isMeant: (each) => gone.some(({ destinationId }) => destinationId === each.destinationId),
    })
  },
  async adopt(scope, app, { changes }) {
    if (changes.some(({ path }) => /^integrations\b/.test(path))) await wakeStores(scope, app.id)
  },
  async remove(scope, { id: appId }) {
    // The lock of a pair must be taken before its jobs are planned.
    await leavePairs(scope, appId)
    await endWatches(scope, appId)
    const attached = scope.table('app_store_review_attachments').where('app_id', appId)
    const rows: { file_id: string | null }[] = await attached.clone().select('file_id')
    await attached.clone().delete()
    await dereferenceFiles(
      scope,
      rows.flatMap(({ file_id: fileId }) => fileId ?? [])
    )
    for (const name of ['app_store_reviews', 'app_store_builds'] as const) {
      await scope.table(name).where('app_id', appId).delete()
    }
  },
}
