import type { Repeatable } from './repeatable.js'
import { put, type Write } from './write.js'

/** Writes to items, including approvals and regression items. */
export const ofChecklistItems = ({
  app,
  appId,
  email,
  checklist,
  approval,
  regression,
  item,
  shown,
}: Repeatable): Record<string, Write[]> => ({
  updateChecklistItem: [
    put(
      `${app}/checklistItem/${approval}`,
      {
        title: 'Law',
        description: 'Ask them.',
        releaseTypes: ['point', 'major', 'minor'],
        owners: [{ type: 'user', id: email }, { type: 'releasePilot' }],
        required: true,
        notifyOnCompletion: false,
        requiredApprovals: 3,
        fourEyes: false,
        placement: { position: 4 },
      },
      `${app}/checklistItem/${approval}`
    ),
    put(`${app}/checklistItem/${checklist}`, {
      placement: { stepType: 'submission', position: 0 },
    }),
  ],
  updateChecklistItemStatus: [
    put(`${item(checklist)}/status`, { status: 'complete', comment: 'Yes.' }, shown(checklist)),
    put(`${item(regression)}/status`, { status: 'failed' }, shown(regression)),
    put(`${item(approval)}/status`, { status: 'approved', comment: 'Yes.' }, shown(approval)),
    put(`${item(approval)}/status`, { status: 'inProgress' }, shown(approval)),
    put(
      `${item(approval)}/status`,
      { status: 'approved', breakGlass: { reason: 'There is no time.' } },
      shown(approval)
    ),
    put(`${item(approval)}/status`, { status: 'blocked', comment: 'No.' }, shown(approval)),
  ],
  updateChecklistItemComment: [
    put(`${item(checklist)}/comment`, { comment: 'Why?' }, shown(checklist)),
    put(`${item(checklist)}/comment`, { comment: null }, shown(checklist)),
  ],
  updateRegressionItems: [
    put(`${app}/regressionItems/batch`, {
      releaseId: `${appId}:1.1.0`,
      items: [{ id: regression, status: 'blocked', comment: 'Stuck.' }],
    }),
  ],
})
