import { onObservation } from '#foundation/agenda/handlers'
import type { StoreVersion } from '#plugin-kit/capabilities/stores'
import { MINUTE } from '#foundation/core/durations'
import { RecordStoreVersion } from '../actions/record_store_version.js'
import { endWatch, isWatched, releasesUnderWay } from '../watch_stores.js'
import { versionsKind } from '../work_kinds.js'
import { askStore, everyPage, targetOf, unlessGone } from './ask_store.js'

/** Looks at what a store shows of the versions of releases that are under way. */
export const observeVersions = onObservation(versionsKind, {
  actor: 'app store',
  lease: 2 * MINUTE,
  every: { least: MINUTE, most: 10 * MINUTE },
  retry: { steps: [MINUTE, 5 * MINUTE, 15 * MINUTE] },
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async look(entry, context): Promise<StoreVersion[] | null> {
    const releases = await releasesUnderWay(context.scope, entry.payload.appId)
    return unlessGone(() =>
      askStore(entry, context, 'appStore', async (store) => {
        const found: StoreVersion[] = []
        for (const { version } of releases) {
          found.push(...(await everyPage((cursor) => store.listVersions({ version }, cursor))))
        }
        return found
      })
    )
  },
  async take(scope, { payload }, versions) {
    const target = await targetOf(scope, payload)
    let changes = false
    if (versions !== null && target !== null) {
      const record = new RecordStoreVersion(scope)
      for (const version of versions) changes = (await record.handle(target, version)) || changes
    }
    const isOver = versions === null || !target
    if (isOver || !(await isWatched(scope, payload.appId))) {
      await endWatch(scope, payload.integrationId, 'versions')
      return 'over'
    }
    return changes ? 'changed' : 'unchanged'
  },
})
