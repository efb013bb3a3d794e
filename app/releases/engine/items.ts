import type { ItemStatus } from '../vocabulary.js'
import type { ItemFacts, ReleaseFacts } from './facts.js'

/** The progress that a status stands for, for any kind of item. */
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

/** The items of every step, by step id. */
export function itemsByStep(facts: ReleaseFacts): Map<string, ItemFacts[]> {
  const found = new Map<string, ItemFacts[]>()
  for (const item of facts.items) {
    const list = found.get(item.stepId)
    if (list) list.push(item)
    else found.set(item.stepId, [item])
  }
  return found
}
