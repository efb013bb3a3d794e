import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  form_stale: [403, 'The page was open for too long', 'Look at the page again, and send its form.'],
} as const satisfies ProblemDeclarations

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    pages: typeof problems
  }
}
