import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  flag_changed: [409, 'The flag was changed meanwhile', 'It is not what it was seen as.'],
} as const satisfies ProblemDeclarations

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    features: typeof problems
  }
}
