import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  code_already_in: [409, 'The release has this code', 'There is nothing left to bring in.'],
  pull_request_closed: [409, 'The pull request is closed', 'It was closed without being merged.'],
  fix_request_closed: [409, 'The fix request is closed', 'It was rejected or merged.'],
  fix_requested: [409, 'A fix has already been requested', 'The issue names the request.'],
  too_many_fix_requests: [409, 'There are too many fix requests', 'A release has a limit of them.'],
} as const satisfies ProblemDeclarations

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    fixes: typeof problems
  }
}
