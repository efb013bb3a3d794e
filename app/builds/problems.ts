import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  file_gone: [409, 'The file is not there', 'Only the record of an expired build is kept.'],
} as const satisfies ProblemDeclarations

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    builds: typeof problems
  }
}
