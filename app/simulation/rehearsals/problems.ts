import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  rehearsal_under_way: [409, 'A rehearsal is under way', 'Stop it, or wait until it is over.'],
} as const satisfies ProblemDeclarations

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    simulation: typeof problems
  }
}
