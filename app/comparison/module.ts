import { buildSubscribers } from '#builds/subscribers'
import { readingSubscribers } from '#distribution/extensions'
import type { Module } from '#foundation/api/module'
import { eventSubscribers } from '#foundation/core/events/subscribers'
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
    readingSubscribers.extend(compareAnew),
    buildSubscribers.extend((scope, { appId }) => compareAnew(scope, appId)),
    eventSubscribers.extend(followEvents),
  ],
}
