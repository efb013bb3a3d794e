import { appParts } from '#apps/parts'
import type { Module } from '#foundation/api/module'
import { eventFollowers } from '#foundation/core/events/followers'
import { releaseParts } from '#releases/parts'
import { storeParts } from '#stores/parts'
import { appPart } from './app_part.js'
import { lookForIssues, looksFromRelease } from './issues/look_for_issues.js'
import { releasePart } from './release_part.js'
import { operations } from './routes.js'
import { storePart } from './store_part.js'
import { lookAtRollout } from './work/look_at_rollout.js'
import { measureRollout } from './work/measure_rollout.js'
import { pressOther } from './work/press_other.js'
import { stopWith } from './work/stop_with.js'

/** Growth of releases from the first users to all of them, and what stops it. */
export const rollouts: Module = {
  name: 'rollouts',
  operations,
  work: [lookAtRollout, measureRollout, stopWith, pressOther, lookForIssues],
  commands: () => import('./commands.js'),
  extensions: [
    appParts.extend(appPart),
    releaseParts.extend(releasePart),
    storeParts.extend(storePart),
    eventFollowers.extend(looksFromRelease),
  ],
}
