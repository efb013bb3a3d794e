import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  malformed_yaml: [400, 'The body is not YAML', 'The body must be one YAML 1.2 document.'],
  invalid_configuration: [422, 'The configuration file is invalid', 'Each problem is listed.'],
} as const satisfies ProblemDeclarations

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    configuration: typeof problems
  }
}
