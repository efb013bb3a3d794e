import { derived, json, type Write } from './write.js'

/** Writes to items, including approvals and regression items. */
export const OF_CHECKLIST_ITEMS: Record<string, Write[]> = {
  createChecklistItem: [
    {
      send: ({ app }) => [
        'POST',
        `${app}/checklistItem`,
        json({ title: 'Ask', stepType: 'metadata' }),
      ],
      release: ['checklistItem.added'],
      app: ['checklistItem.added'],
    },
  ],
  createApprovalItem: [
    {
      send: ({ app, id }) => ['POST', `${app}/approval`, json({ title: 'Law', releaseId: id })],
      release: ['checklistItem.added'],
    },
  ],
  createRegressionItem: [
    {
      send: ({ app }) => ['POST', `${app}/regressionItem`, json({ title: 'Pay', position: 0 })],
      release: ['checklistItem.added'],
      app: ['checklistItem.added'],
    },
  ],
  createRegressionItems: [
    {
      send: ({ app }) => [
        'POST',
        `${app}/regressionItems/batch`,
        json({ items: [{ title: 'One' }, { title: 'Two' }] }),
      ],
      release: ['checklistItem.added'],
      app: ['checklistItem.added'],
    },
  ],
  updateChecklistItem: [
    {
      send: ({ app, regression }) => [
        'PUT',
        `${app}/checklistItem/${regression}`,
        json({ title: 'Sign in' }),
      ],
      release: ['checklistItem.updated'],
      app: ['checklistItem.updated'],
    },
    {
      send: ({ app, regression }) => [
        'PUT',
        `${app}/checklistItem/${regression}`,
        json({ releaseTypes: ['hotfix'] }),
      ],
      release: ['checklistItem.removed'],
      app: ['checklistItem.updated'],
    },
  ],
  updateChecklistItemStatus: [
    {
      send: ({ release, approval }) => [
        'PUT',
        `${release}/checklistItem/${approval}/status`,
        json({ status: 'approved' }),
      ],
      release: ['checklistItem.statusChanged', 'releaseStep.statusChanged'],
    },
    {
      send: ({ release, approval }) => [
        'PUT',
        `${release}/checklistItem/${approval}/status`,
        json({ status: 'approved', comment: 'Really.' }),
      ],
      release: ['checklistItem.commented'],
    },
    {
      send: ({ release, approval }) => [
        'PUT',
        `${release}/checklistItem/${approval}/status`,
        json({ status: 'approved', breakGlass: { reason: 'There is no time.' } }),
      ],
      release: ['approval.brokenGlass', 'checklistItem.statusChanged', 'releaseStep.statusChanged'],
      audit: ['approval.brokenGlass'],
    },
    {
      send: ({ release, approval }) => [
        'PUT',
        `${release}/checklistItem/${approval}/status`,
        json({ status: 'approved', userEmail: 'ada@acme.example', comment: 'Me too.' }),
      ],
      release: ['approval.given'],
    },
  ],
  updateChecklistItemComment: [
    {
      send: ({ release, regression }) => [
        'PUT',
        `${release}/checklistItem/${regression}/comment`,
        json({ comment: 'Why?' }),
      ],
      release: ['checklistItem.commented'],
    },
  ],
  updateRegressionItems: [
    {
      send: ({ app, id, regression }) => [
        'PUT',
        `${app}/regressionItems/batch`,
        json({ releaseId: id, items: [{ id: regression, status: 'failed' }] }),
      ],
      release: ['checklistItem.statusChanged', ...derived],
    },
  ],
  deleteRegressionItems: [
    {
      send: ({ app, regression }) => [
        'DELETE',
        `${app}/regressionItems/batch`,
        json({ ids: [regression] }),
      ],
      release: ['checklistItem.removed'],
      app: ['checklistItem.removed'],
    },
  ],
}
