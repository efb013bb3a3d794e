import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  flag_changed: [409, 'The flag has changed in the meantime', 'Read the flag again, then decide.'],
} as const satisfies ProblemDeclarations

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    features: typeof problems
  }
}
