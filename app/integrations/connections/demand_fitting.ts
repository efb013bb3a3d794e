import { refuse } from '#foundation/core/problems/problem'
import { checkValue } from '#plugin-kit/check_value'
import type { PluginManifest } from '#plugin-kit/manifest'
import type { SchemaProblem } from '#plugin-kit/schema'
import type { Credentials } from './credentials.js'

/**
 * Holds what a connection is made of against its plugin's schemas.
 * @throws invalid_input, with a path for each problem and never a value
 */
export function demandFitting(
  { credentialSchema, connectionSchema }: PluginManifest,
  given: { settings?: Record<string, unknown>; credentials: Credentials }
): void {
  const errors = [
    ...places('credential', checkValue(credentialSchema, given.credentials)),
    ...(given.settings ? places('setting', checkValue(connectionSchema, given.settings)) : []),
  ]
  if (errors.length > 0) {
    throw refuse('invalid_input', {
      detail: 'The values do not match the schema of the plugin.',
      errors,
    })
  }
}

function places(what: string, problems: readonly SchemaProblem[]) {
  return problems.map(({ path, message }) => ({
    path: `${what} ${path.join('.')}`,
    code: 'invalid',
    message: `${path.join('.')} ${message}`,
  }))
}
