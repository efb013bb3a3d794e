import { buildFollowers } from '#builds/followers'
import { readingFollowers } from '#distribution/extensions'
import type { Module } from '#foundation/api/module'
import { eventFollowers } from '#foundation/core/events/followers'
import { organizationExtensions } from '#organizations/extensions'
import { releaseExtensions } from '#releases/extensions'
import { compareAnew, removeGroup } from './approvals/change_rules.js'
import { followEvents } from './approvals/follow_events.js'
import { releaseExtension } from './release_extension.js'
import { operations } from './routes.js'

/** The changes from one build to another, and who has to approve them. */
export const comparison: Module = {
  name: 'comparison',
  operations,
  extensions: [
    organizationExtensions.extend({ removeGroup }),
    releaseExtensions.extend(releaseExtension),
    readingFollowers.extend(compareAnew),
    buildFollowers.extend((scope, { appId }) => compareAnew(scope, appId)),
    eventFollowers.extend(followEvents),
  ],
}
