import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  form_stale: [403, 'The page was open for too long', 'Look at the page again, and send its form.'],
  plan_outdated: [
    409,
    'The text changed after it was planned',
    'Plan it again, and apply what you see then.',
  ],
} as const satisfies ProblemDeclarations

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    pages: typeof problems
  }
}
