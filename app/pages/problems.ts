import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  form_stale: [403, 'The page was open for too long', 'Load the page again, and send its form.'],
  plan_outdated: [
    409,
    'The text changed after it was planned',
    'Plan it again, and apply what you see then.',
  ],
  authorization_pending: [400, 'Nobody has confirmed it yet', 'Ask again after the interval.'],
  slow_down: [400, 'Asked too soon', 'Wait 5 seconds longer between two requests from now on.'],
  access_denied: [400, 'The person refused', 'Begin again if that was a mistake.'],
  expired_token: [400, 'The code no longer works', 'It was used or has expired: begin again.'],
} as const satisfies ProblemDeclarations

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    pages: typeof problems
  }
}
