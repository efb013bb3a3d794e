import { exampleItem } from './examples.js'
import type { Module } from '#foundation/api/module'
import { appExtensions } from '#apps/extensions'
import { organizationExtensions } from '#organizations/extensions'
import { prefetchItem } from './queries/find_release_items.js'
import { releaseExtensions } from '#releases/extensions'
import { appExtension } from './definitions/app_extension.js'
import { events } from './events.js'
import { organizationExtension } from './definitions/organization_extension.js'
import { problems, problemMembers } from './problems.js'
import { releaseExtension } from './release_items/release_extension.js'
import { operations } from './routes.js'

/** Checklist, approval and regression items. */
export const checklists: Module = {
  name: 'checklists',
  operations,
  events,
  problems,
  problemMembers,
  parameters: {
    checklistItemId: {
      description: 'Id of the item.',
      example: exampleItem.id,
      prefetch: (asker, { releaseId, checklistItemId }) => {
        if (releaseId) prefetchItem(asker, releaseId, checklistItemId)
      },
    },
  },
  tags: { Items: 'Checklist, approval and regression items.' },
  extensions: [
    organizationExtensions.extend(organizationExtension),
    appExtensions.extend(appExtension),
    releaseExtensions.extend(releaseExtension),
  ],
}
