import { buildFollowers } from '#builds/followers'
import { readingFollowers } from '#distribution/parts'
import type { Module } from '#foundation/api/module'
import { eventFollowers } from '#foundation/core/events/followers'
import { organizationParts } from '#organizations/parts'
import { releaseParts } from '#releases/parts'
import { compareAnew, removeGroup } from './approvals/change_rules.js'
import { followEvents } from './approvals/follow_events.js'
import { releasePart } from './release_part.js'
import { operations } from './routes.js'

/** The changes from one build to another, and who has to approve them. */
export const comparison: Module = {
  name: 'comparison',
  operations,
  extensions: [
    organizationParts.extend({ removeGroup }),
    releaseParts.extend(releasePart),
    readingFollowers.extend(compareAnew),
    buildFollowers.extend((scope, { appId }) => compareAnew(scope, appId)),
    eventFollowers.extend(followEvents),
  ],
}
