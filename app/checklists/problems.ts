import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  four_eyes: [403, 'The author cannot approve this', 'Someone else has to: the detail says why.'],
  not_owner: [403, 'Only an owner may do this', 'The item names its owners.'],
} as const satisfies ProblemDeclarations

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    checklists: typeof problems
  }
}
