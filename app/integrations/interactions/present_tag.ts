import app from '@adonisjs/core/services/app'
import { tagOf } from '#foundation/api/execution/preconditions'
import { operations } from '#foundation/api/operation/registry'
import type { Scope } from '#foundation/core/scope'
import type { ButtonRequest } from './buttons.js'

/**
 * Returns the current entity tag of the resource that a request would change; undefined if it has
 * none.
 */
export async function currentEntityTag(
  scope: Scope,
  { operation, params }: Pick<ButtonRequest, 'operation' | 'params'>
): Promise<string | undefined> {
  const { precondition } = operations.get(operation)
  const origin = { baseUrl: app.config.get<string>('app.serviceUrl') }
  const call = { scope, params, query: undefined, body: undefined, origin }
  return precondition && tagOf(operations, precondition, call)
}
