import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  default_group: [409, 'A default group cannot change', 'Make a custom group instead.'],
} as const satisfies ProblemDeclarations

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    organizations: typeof problems
  }
}
