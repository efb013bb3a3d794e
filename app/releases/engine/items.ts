import type { ItemStatus } from '../vocabulary.js'
import type { ItemFacts, ReleaseFacts } from './facts.js'

/** The meaning of a status, for any kind of item. */
type ItemMeaning = 'untouched' | 'underway' | 'blocking' | 'done'

const MEANING: Record<ItemStatus, ItemMeaning> = {
  notStarted: 'untouched',
  inProgress: 'underway',
  blocked: 'blocking',
  rejected: 'blocking',
  failed: 'blocking',
  complete: 'done',
  approved: 'done',
  passed: 'done',
  notApplicable: 'done',
}

function meaningOf(item: Pick<ItemFacts, 'status'>): ItemMeaning {
  return MEANING[item.status]
}

export function isDone(item: Pick<ItemFacts, 'status'>): boolean {
  return meaningOf(item) === 'done'
}

export function isBlocking(item: Pick<ItemFacts, 'status'>): boolean {
  return meaningOf(item) === 'blocking'
}

export function hasBegun(item: Pick<ItemFacts, 'status'>): boolean {
  return meaningOf(item) !== 'untouched'
}

/** Groups the items by step id. */
export function itemsByStep(facts: ReleaseFacts): Map<string, ItemFacts[]> {
  return Map.groupBy(facts.items, (item) => item.stepId)
}
