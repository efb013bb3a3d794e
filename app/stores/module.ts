import { appParts } from '#apps/parts'
import { buildFollowers } from '#builds/followers'
import { storeBuildParts } from '#builds/parts'
import type { Module } from '#foundation/api/module'
import { integrationObservers } from '#integrations/callbacks/observers'
import { releaseParts } from '#releases/parts'
import { storesPort } from '#releases/ports'
import { appPart } from './release/app_part.js'
import { readPastVersions } from './backfill/read_past_versions.js'
import { followCiBuild, shownBuilds } from './builds/build_follower.js'
import { events } from './events.js'
import { parameters } from './parameters.js'
import { problemMembers, problems } from './problems.js'
import { inStores } from './release/in_stores.js'
import { outBuilds } from './builds/out_build.js'
import { releasePart } from './release/release_part.js'
import { operations } from './routes.js'
import { reconcileStops, reconcileUsual } from './work/reconcile_store.js'
import { checkStop } from './work/check_stop.js'
import { observeBetaBuilds, observeBuilds } from './work/observe_builds.js'
import { observeReviews } from './work/observe_reviews.js'
import { observeLiveVersions, observeVersions } from './work/observe_versions.js'
import { sendReply } from './work/send_reply.js'
import { operations as ofPairs } from './pairs/routes.js'
import { settlePair, reportPaired } from './pairs/settle_pair.js'
import { operations as ofTesters } from './testers/routes.js'
import { giveToTesters } from './testers/give_to_testers.js'
import { observer } from './observations/wake_stores.js'

/** Versions in app stores: submission, review, rollout. */
export const stores: Module = {
  name: 'stores',
  operations: [...operations, ...ofPairs, ...ofTesters],
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
    appParts.extend(appPart),
    releaseParts.extend(releasePart),
    storesPort.provide({ inStores, outBuilds }),
    buildFollowers.extend(followCiBuild),
    storeBuildParts.extend(shownBuilds),
    integrationObservers.extend(observer),
  ],
}
