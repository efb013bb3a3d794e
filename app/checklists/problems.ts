import { Type } from '@sinclair/typebox'
import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  four_eyes: [403, 'The author cannot approve this', 'Someone else has to: the detail says why.'],
  not_owner: [403, 'Only an owner may do this', 'The item names its owners.'],
  already_approved: [409, 'Already approved by this person', 'Each person counts once.'],
} as const satisfies ProblemDeclarations

/** A batch of which every item failed answers the members of the batch's answer too. */
const doneOfBatch = () =>
  Type.Optional(
    Type.Array(Type.Unknown(), {
      maxItems: 0,
      description: 'With `all_items_failed` of a batch: empty; what failed is in `errors`.',
    })
  )

export const problemMembers = {
  created: doneOfBatch(),
  updated: doneOfBatch(),
  deleted: doneOfBatch(),
}

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    checklists: typeof problems
  }
}
