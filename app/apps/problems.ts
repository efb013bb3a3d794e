import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  app_scope_missing: [403, 'The key may not change this app', 'Its app scopes do not include it.'],
  integration_missing: [409, 'An integration is missing', 'Connect one of the named kind first.'],
  destination_taken: [409, 'The destination exists', 'Destinations are unique by name.'],
} as const satisfies ProblemDeclarations

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    apps: typeof problems
  }
}
