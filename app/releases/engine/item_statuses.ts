import type { ItemKind, ItemStatus } from '#releases/vocabulary'

/** What an item of a kind may be set to (`ChecklistItemStatusType`); any may follow any other. */
export const LEGAL_ITEM_STATUSES: Record<ItemKind, readonly ItemStatus[]> = {
  checklist: ['notStarted', 'inProgress', 'complete', 'blocked', 'notApplicable'],
  approval: ['notStarted', 'inProgress', 'approved', 'rejected', 'blocked'],
  regression: ['notStarted', 'inProgress', 'passed', 'failed', 'blocked', 'notApplicable'],
}

/** Whether an item of this kind may be set to this status. */
export function isLegalItemStatus(kind: ItemKind, status: ItemStatus): boolean {
  return LEGAL_ITEM_STATUSES[kind].includes(status)
}

/** What is wrong with a status that is not legal for the kind. */
export function illegalStatus(kind: ItemKind, status: string): string {
  return `An item of kind ${kind} is ${LEGAL_ITEM_STATUSES[kind].join(', ')}; not ${status || 'nothing'}.`
}

/** The user action that setting an item's status, or commenting on it, takes. */
export const ITEM_ACTION = {
  checklist: 'UpdateChecklistItemStatus',
  approval: 'UpdateApprovalItemStatus',
  regression: 'UpdateRegressionTesting',
} as const satisfies Record<ItemKind, string>
