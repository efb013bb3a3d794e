import { appExtensions } from '#apps/extensions'
import { buildSubscribers } from '#builds/subscribers'
import { storeBuildExtensions } from '#builds/extensions'
import type { Module } from '#foundation/api/module'
import { integrationObservers } from '#integrations/callbacks/observers'
import { releaseExtensions } from '#releases/extensions'
import { storesPort } from '#releases/ports'
import { appExtension } from './release/app_extension.js'
import { readPastVersions } from './backfill/read_past_versions.js'
import { followCiBuild, shownBuilds } from './builds/build_subscriber.js'
import { events } from './events.js'
import { parameters } from './parameters.js'
import { problemMembers, problems } from './problems.js'
import { inStores } from './release/in_stores.js'
import { outBuilds } from './builds/out_build.js'
import { highestReleased } from './queries/highest_released.js'
import { releaseExtension } from './release/release_extension.js'
import { operations } from './routes.js'
import { reconcileStops, reconcileUsual } from './work/reconcile_store.js'
import { checkStop } from './work/check_stop.js'
import { observeBetaBuilds, observeBuilds } from './work/observe_builds.js'
import { observeReviews } from './work/observe_reviews.js'
import { observeLiveVersions, observeVersions } from './work/observe_versions.js'
import { sendReply } from './work/send_reply.js'
import { operations as pairOperations } from './pairs/routes.js'
import { settlePair, reportPaired } from './pairs/settle_pair.js'
import { operations as testerOperations } from './testers/routes.js'
import { giveToTesters } from './testers/give_to_testers.js'
import { observer } from './observations/wake_stores.js'

/** Versions in app stores: submission, review, rollout. */
export const stores: Module = {
  name: 'stores',
  operations: [...operations, ...pairOperations, ...testerOperations],
  events,
  parameters,
  problems,
  problemMembers,
  work: [
    reconcileUsual,
    reconcileStops,
    checkStop,
    observeVersions,
    observeLiveVersions,
    observeBuilds,
    observeBetaBuilds,
    observeReviews,
    sendReply,
    giveToTesters,
    settlePair,
    reportPaired,
    readPastVersions,
  ],
  extensions: [
    appExtensions.extend(appExtension),
    releaseExtensions.extend(releaseExtension),
    storesPort.provide({ inStores, outBuilds, highestReleased }),
    buildSubscribers.extend(followCiBuild),
    storeBuildExtensions.extend(shownBuilds),
    integrationObservers.extend(observer),
  ],
}
