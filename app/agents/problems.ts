import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  plan_stale: [409, 'The plan no longer does what it showed', 'Ask for the plan again.'],
  plan_used: [
    409,
    'The plan has been carried out already',
    'Read its current state before anything else.',
  ],
  plan_unknown: [
    422,
    'No such plan was shown for this request',
    'Send the token as it was given, with the same key and everything else unchanged.',
  ],
  host_refused: [
    403,
    'The service does not know this name as its own',
    'Name it in PUBLIC_URL or MCP_HOSTS.',
  ],
  origin_refused: [403, 'Pages of other sites may not call this', 'Programs send no Origin.'],
} as const satisfies ProblemDeclarations

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    agents: typeof problems
  }
}
