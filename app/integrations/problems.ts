import type { ProblemDeclarations } from '#foundation/core/problems/catalog'

export const problems = {
  provider_error: [502, 'A provider failed', 'The detail says whether it was applied.'],
  credentials_refused: [409, 'The provider refuses the credentials', 'Nothing was stored.'],
  credentials_missing: [409, 'The connection has no credentials', 'Rotate it with new ones.'],
  credentials_unreadable: [
    409,
    'The credentials cannot be read',
    'They were encrypted under a key that the service does not have.',
  ],
  plugin_missing: [409, 'The plugin does not run', 'The log and the health report say why.'],
  connection_in_use: [409, 'Apps use the connection', 'The detail names them.'],
} as const satisfies ProblemDeclarations

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    integrations: typeof problems
  }
}
