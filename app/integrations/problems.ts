import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  provider_error: [502, 'A provider failed', 'The detail says whether it was applied.'],
} as const satisfies ProblemDeclarations

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    integrations: typeof problems
  }
}
