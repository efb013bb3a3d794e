import { exampleItem } from './examples.js'
import type { Module } from '#foundation/api/module'
import { appParts } from '#apps/parts'
import { organizationParts } from '#organizations/parts'
import { askItemAhead } from './queries/find_release_items.js'
import { releaseParts } from '#releases/parts'
import { appPart } from './definitions/app_part.js'
import { events } from './events.js'
import { organizationPart } from './definitions/organization_part.js'
import { problems, problemMembers } from './problems.js'
import { releasePart } from './release_items/release_part.js'
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
      askAhead: (asker, { releaseId, checklistItemId }) => {
        if (releaseId) askItemAhead(asker, releaseId, checklistItemId)
      },
    },
  },
  tags: { Items: 'Checklist, approval and regression items.' },
  extensions: [
    organizationParts.extend(organizationPart),
    appParts.extend(appPart),
    releaseParts.extend(releasePart),
  ],
}
