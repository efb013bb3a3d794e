import type { ItemKind, ItemStatus } from '#releases/vocabulary'

/**
 * The legal statuses of an item by kind (`ChecklistItemStatusType`). Any legal status may follow
 * any other.
 */
export const LEGAL_ITEM_STATUSES: Record<ItemKind, readonly ItemStatus[]> = {
  checklist: ['notStarted', 'inProgress', 'complete', 'blocked', 'notApplicable'],
  approval: ['notStarted', 'inProgress', 'approved', 'rejected', 'blocked'],
  regression: ['notStarted', 'inProgress', 'passed', 'failed', 'blocked', 'notApplicable'],
}

/** Returns whether an item of this kind may have this status. */
export function isLegalItemStatus(kind: ItemKind, status: ItemStatus): boolean {
  return LEGAL_ITEM_STATUSES[kind].includes(status)
}

/** Returns the message for a status that is illegal for the kind. */
export function illegalStatus(kind: ItemKind, status: string): string {
  return `An item of kind ${kind} can be ${LEGAL_ITEM_STATUSES[kind].join(', ')}, but not ${status || 'nothing'}.`
}
