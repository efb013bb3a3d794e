import type { ItemStatus } from '../vocabulary.js'
import type { ItemFacts, ReleaseFacts, StepFacts } from './facts.js'
import { handSetAfterItemChange } from './item_step_rules.js'

/** A hypothetical change of an item's status. */
interface ItemChange {
  itemId: string
  status: ItemStatus
}

/**
 * Returns the facts as they would be after these changes. Unknown items are ignored. The caller
 * checks that each status is legal for the kind of its item.
 */
export function applyWhatIf(facts: ReleaseFacts, changes: readonly ItemChange[]): ReleaseFacts {
  return changes.reduce(applyOne, facts)
}

function applyOne(facts: ReleaseFacts, { itemId, status }: ItemChange): ReleaseFacts {
  const item = facts.items.find(({ id }) => id === itemId)
  if (!item || item.status === status) return facts
  return {
    ...facts,
    items: facts.items.map((other) => (other === item ? withStatus(item, status) : other)),
    steps:
      item.kind === 'regression'
        ? facts.steps.map((step) => (step.id === item.stepId ? afterItemChange(step) : step))
        : facts.steps,
  }
}

/** Returns an item with another status. `approved` gives all missing approvals, others none. */
function withStatus({ approvals, ...item }: ItemFacts, status: ItemStatus): ItemFacts {
  if (!approvals) return { ...item, status }
  const missing = status === 'approved' ? 0 : approvals.required
  return { ...item, status, approvals: { ...approvals, missing, givenBy: [] } }
}

function afterItemChange(step: StepFacts): StepFacts {
  if (step.type !== 'regressionTesting') return step
  return { ...step, facts: { handSet: handSetAfterItemChange(step.facts.handSet) } }
}
