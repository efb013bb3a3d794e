import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  endpoint_disabled: [409, 'The endpoint is disabled', 'Enable it first.'],
} as const satisfies ProblemDeclarations

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    webhooks: typeof problems
  }
}
