import { appExtensions } from '#apps/extensions'
import type { Module } from '#foundation/api/module'
import { eventSubscribers } from '#foundation/core/events/subscribers'
import { releaseExtensions } from '#releases/extensions'
import { storeExtensions } from '#stores/extensions'
import { appExtension } from './app_extension.js'
import { findIssues, looksFromRelease } from './issues/find_issues.js'
import { releaseExtension } from './release_extension.js'
import { operations } from './routes.js'
import { storeExtension } from './store_extension.js'
import { checkRollout } from './work/look_at_rollout.js'
import { measureRollout } from './work/measure_rollout.js'
import { pressOther } from './work/press_other.js'
import { stopWith } from './work/stop_with.js'

/** Rollouts of releases from the first users to all of them, and the stops of rollouts. */
export const rollouts: Module = {
  name: 'rollouts',
  operations,
  work: [checkRollout, measureRollout, stopWith, pressOther, findIssues],
  commands: () => import('./commands.js'),
  extensions: [
    appExtensions.extend(appExtension),
    releaseExtensions.extend(releaseExtension),
    storeExtensions.extend(storeExtension),
    eventSubscribers.extend(looksFromRelease),
  ],
}
