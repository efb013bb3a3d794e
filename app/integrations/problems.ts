import { Type } from '@sinclair/typebox'
import type { ProblemDeclarations } from '#foundation/core/problems/catalog'
import { nonEmpty, enumOf } from '#foundation/core/schemas'
import { PROVIDER_ERROR_CODES } from '#plugin-kit/provider_error'

export const problems = {
  provider_error: [502, 'A provider failed', 'The detail says whether it was applied.'],
  credentials_refused: [409, 'The provider refuses the credentials', 'Nothing was stored.'],
  credentials_missing: [409, 'The connection has no credentials', 'Rotate it: give it new ones.'],
  credentials_unreadable: [
    409,
    'The credentials cannot be read',
    'They were encrypted under a key that the service does not have.',
  ],
  plugin_missing: [409, 'The plugin does not run', 'The log and the health report say why.'],
  authorization_unknown: [404, 'The authorization is unknown', 'Start again, in the same browser.'],
  authorization_refused: [409, 'The provider refused the authorization', 'Nothing was connected.'],
  connection_in_use: [409, 'Apps use the connection', 'The detail names them.'],
} as const satisfies ProblemDeclarations

export const problemMembers = {
  provider: Type.Optional(nonEmpty('With `provider_error`: the connection that was called.', 200)),
  reason: Type.Optional(
    enumOf(PROVIDER_ERROR_CODES, 'With `provider_error`: error code of the failed call.')
  ),
  action: Type.Optional(
    nonEmpty('With `provider_error`: who has to act and what to do, if known.', 300)
  ),
  raw: Type.Optional(
    nonEmpty("With `provider_error`: the provider's own message, if the detail differs.", 1000)
  ),
  outcome: Type.Optional(
    enumOf(
      ['notApplied', 'applied', 'unknown'],
      'With `provider_error`: whether the request took effect.'
    )
  ),
}

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    integrations: typeof problems
  }
}
