import { onObservation, type ObservationHandler, type Work } from '#foundation/jobs/handlers'
import { HOUR, MINUTE } from '#foundation/core/durations'
import { observePoll, pollVersions, type Poll } from '../observations/observe_versions.js'
import { appsSharingStore, openStore, presentVersions, storeIdOf } from '../queries/store_record.js'
import { ReconcileStore } from '../decisions/reconcile_store.js'
import type { VersionPace } from '../vocabulary.js'
import {
  endWatch,
  paceOf,
  releasesUnderWay,
  LIVE_VERSIONS_INTERVAL,
  watch,
} from '../observations/watch_stores.js'
import { WATCH_KINDS } from '../work_kinds.js'
import { unlessGone } from '#integrations/ask_provider'
import { askStore, targetOf } from './ask_store.js'

const PACES: Record<VersionPace, Pick<ObservationHandler, 'every' | 'retry'>> = {
  versions: {
    every: { least: MINUTE, most: 10 * MINUTE },
    retry: { steps: [MINUTE, 5 * MINUTE, 15 * MINUTE] },
  },
  liveVersions: {
    every: { least: LIVE_VERSIONS_INTERVAL, most: LIVE_VERSIONS_INTERVAL },
    retry: { steps: [HOUR, LIVE_VERSIONS_INTERVAL] },
  },
}

const observe = (pace: VersionPace): Work =>
  onObservation(WATCH_KINDS[pace], {
    actor: 'app store',
    lease: 2 * MINUTE,
    ...PACES[pace],
    async lock(scope, { payload }) {
      for (const appId of await appsSharingStore(scope, payload)) await scope.lock('apps', appId)
    },
    async poll(job, context): Promise<Poll | null> {
      const { scope } = context
      const releases = await releasesUnderWay(scope, job.payload.appId)
      const present = await presentVersions(scope, job.payload)
      const names = [...new Set([...releases, ...present].map(({ version }) => version))]
      const beganAt = scope.now
      return unlessGone(() =>
        askStore(job, context, 'appStore', (store) => pollVersions(store, names, beganAt))
      )
    },
    async store(scope, { payload }, poll) {
      const target = await targetOf(scope, payload)
      if (poll === null || target === null) {
        await endWatch(scope, payload, pace)
        return 'over'
      }
      const store = (await openStore(scope, await storeIdOf(scope, target)))!
      const observations = await observePoll(scope, store, poll)
      const locked = await appsSharingStore(scope, target)
      const changes = await new ReconcileStore(scope, store, locked).handle(observations)
      const next = await paceOf(scope, payload, store.record)
      if (next === pace) return changes ? 'changed' : 'unchanged'
      await endWatch(scope, payload, pace)
      if (next !== null) await watch(scope, payload, next)
      return 'over'
    },
  })

/**
 * Polls the versions of a store within minutes while any of them moves, or a release is under way.
 */
export const observeVersions = observe('versions')

/**
 * Polls the versions of a store once a day after that, while users have one that a person can halt
 * in the console.
 */
export const observeLiveVersions = observe('liveVersions')
