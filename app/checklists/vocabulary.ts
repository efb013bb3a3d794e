import { enumeration } from '#foundation/core/enumerations'

/** The three kinds of item a release step may hold. */
export const ITEM_KINDS = ['checklist', 'approval', 'regression'] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

/** `ChecklistItemStatusType`: one enumeration for all kinds, with a legal part for each. */
export const ITEM_STATUSES = enumeration('ChecklistItemStatusType', [
  'notStarted',
  'inProgress',
  'complete',
  'approved',
  'rejected',
  'passed',
  'failed',
  'blocked',
  'notApplicable',
])
export type ItemStatus = (typeof ITEM_STATUSES)[number]

/** What an item of a kind may be set to; any legal value may follow any other. */
export const LEGAL_ITEM_STATUSES: Record<ItemKind, readonly ItemStatus[]> = {
  checklist: ['notStarted', 'inProgress', 'complete', 'blocked', 'notApplicable'],
  approval: ['notStarted', 'inProgress', 'approved', 'rejected', 'blocked'],
  regression: ['notStarted', 'inProgress', 'passed', 'failed', 'blocked', 'notApplicable'],
}

/** What counts as done for an item of a kind. */
export const DONE_ITEM_STATUSES: Record<ItemKind, readonly ItemStatus[]> = {
  checklist: ['complete', 'notApplicable'],
  approval: ['approved'],
  regression: ['passed', 'notApplicable'],
}

/** Whether an item of this kind may be set to this status. */
export function isLegalItemStatus(kind: ItemKind, status: ItemStatus): boolean {
  return LEGAL_ITEM_STATUSES[kind].includes(status)
}

/** Whether an item of this kind is done at this status. */
export function isItemDone(kind: ItemKind, status: ItemStatus): boolean {
  return DONE_ITEM_STATUSES[kind].includes(status)
}

/** Who can own an item. */
export const ITEM_OWNER_TYPES = ['user', 'group', 'releasePilot'] as const
export type ItemOwnerType = (typeof ITEM_OWNER_TYPES)[number]
