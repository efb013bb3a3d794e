import { onObservation } from '#foundation/agenda/handlers'
import { MINUTE } from '#foundation/core/durations'
import { observePoll, pollVersions, type Poll } from '../observe_versions.js'
import { appsBeside, openStore, presentVersions, storeIdOf } from '../queries/store_record.js'
import { ReconcileStore } from '../reconcile_store.js'
import { canStillChange } from '../reconciler/states.js'
import { endWatch, isWatched, releasesUnderWay } from '../watch_stores.js'
import { versionsKind } from '../work_kinds.js'
import { askStore, targetOf, unlessGone } from './ask_store.js'

/** Polls the versions of a store while any of them can still change. */
export const observeVersions = onObservation(versionsKind, {
  actor: 'app store',
  lease: 2 * MINUTE,
  every: { least: MINUTE, most: 10 * MINUTE },
  retry: { steps: [MINUTE, 5 * MINUTE, 15 * MINUTE] },
  async lock(scope, { payload }) {
    for (const appId of await appsBeside(scope, payload)) await scope.lock('apps', appId)
  },
  async look(entry, context): Promise<Poll | null> {
    const { scope } = context
    const releases = await releasesUnderWay(scope, entry.payload.appId)
    const present = await presentVersions(scope, entry.payload)
    const names = [...new Set([...releases, ...present].map(({ version }) => version))]
    const beganAt = scope.now
    return unlessGone(() =>
      askStore(entry, context, 'appStore', (store) => pollVersions(store, names, beganAt))
    )
  },
  async take(scope, { payload }, poll) {
    const { appId, integrationId } = payload
    const target = await targetOf(scope, payload)
    if (poll === null || target === null) {
      await endWatch(scope, integrationId, 'versions')
      return 'over'
    }
    const store = (await openStore(scope, await storeIdOf(scope, target)))!
    const observations = await observePoll(scope, store, poll)
    const locked = await appsBeside(scope, target)
    const changes = await new ReconcileStore(scope, store, locked).handle(observations)
    if (!canStillChange(store.record) && !(await isWatched(scope, appId))) {
      await endWatch(scope, integrationId, 'versions')
      return 'over'
    }
    return changes ? 'changed' : 'unchanged'
  },
})
