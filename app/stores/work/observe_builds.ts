import { onObservation, type CallContext, type Job, type Work } from '#foundation/jobs/handlers'
import { yieldToOthers } from '#foundation/core/yielding'
import type { StoreBuild } from '#plugin-kit/capabilities/stores'
import { MINUTE } from '#foundation/core/durations'
import { RecordStoreBuild } from '../actions/record_store_build.js'
import { endWatch, isWatched, releasesUnderWay } from '../observations/watch_stores.js'
import { betaBuildsKind, buildsKind } from '../work_kinds.js'
import { unlessGone } from '#integrations/ask_provider'
import { askStore, everyPage, targetOf, type StorePlace } from './ask_store.js'

const observe = (what: 'builds' | 'betaBuilds'): Work =>
  onObservation(what === 'builds' ? buildsKind : betaBuildsKind, {
    actor: what === 'builds' ? 'app store' : 'beta testing',
    lease: 2 * MINUTE,
    every: { least: MINUTE, most: 10 * MINUTE },
    retry: { steps: [MINUTE, 5 * MINUTE, 15 * MINUTE] },
    lock: (scope, { payload }) => scope.lock('apps', payload.appId),
    poll: (job, context) => unlessGone(() => buildsIn(what, job, context)),
    async store(scope, { payload }, builds) {
      const target = await targetOf(scope, payload)
      let changes = false
      if (builds !== null && target !== null) {
        const record = new RecordStoreBuild(scope)
        for (const build of builds) {
          changes = (await record.handle(target, build)) || changes
          await yieldToOthers()
        }
      }
      const isOver = builds === null || !target
      if (isOver || !(await isWatched(scope, payload.appId))) {
        await endWatch(scope, payload, what)
        return 'over'
      }
      return changes ? 'changed' : 'unchanged'
    },
  })

/** Polls the builds in the stores of releases that are under way. */
export const observeBuilds = observe('builds')

/** Polls the builds in beta of releases that are under way. */
export const observeBetaBuilds = observe('betaBuilds')

/** Returns the builds of all releases that are under way, the oldest first. */
async function buildsIn(
  what: 'builds' | 'betaBuilds',
  job: Job<StorePlace>,
  context: CallContext
): Promise<StoreBuild[]> {
  const releases = await releasesUnderWay(context.scope, job.payload.appId)
  const kind = what === 'builds' ? 'appStore' : 'betaTesting'
  const found = await askStore(job, context, kind, async (store) => {
    const all: StoreBuild[] = []
    for (const { version } of releases) {
      all.push(...(await everyPage((cursor) => store.listBuilds({ version }, cursor))))
    }
    return all
  })
  return found.sort((one, other) => one.uploadedAt.localeCompare(other.uploadedAt))
}
