import { Type } from '@sinclair/typebox'
import type { ProblemDeclarations } from '#foundation/core/problems/catalog'
import { list } from '#foundation/core/schemas'

export const problems = {
  too_many_items: [409, 'There is no room for more items', 'The detail says where.'],
  four_eyes: [403, 'The author cannot approve this', 'Someone else has to: the detail says why.'],
} as const satisfies ProblemDeclarations

/**
 * Returns an empty result list: a batch whose items all failed has the members of a normal answer
 * too.
 */
const emptyResults = () =>
  Type.Optional(
    list(
      'With `all_items_failed` of a batch: empty; failed items are in `errors`.',
      Type.Unknown(),
      0
    )
  )

export const problemMembers = {
  created: emptyResults(),
  updated: emptyResults(),
  deleted: emptyResults(),
}

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    checklists: typeof problems
  }
}
