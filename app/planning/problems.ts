import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  automation_dependency: [
    409,
    'What the automation needs is missing',
    'Another automation that it needs is off, one that needs it is on, or a setting of the app is missing; the detail names it.',
  ],
  automation_inactive: [
    409,
    'The automation does not apply here',
    'Hotfixes and rollbacks run alongside the train, and not every store has submissions or releases.',
  ],
} as const satisfies ProblemDeclarations

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    planning: typeof problems
  }
}
