import type { Scope } from '../../core/scope.js'
import type { AnyOperation } from '../operation/declaration.js'
import type { AnyCall } from './any_call.js'
import type { Input, OperationRequest } from './request.js'

/** The input of a write, with what its operation asks others ahead; taken back where that breaks. */
export async function withAhead(
  ahead: NonNullable<AnyOperation['ahead']>,
  scope: Scope,
  { params, origin }: Pick<OperationRequest, 'params' | 'origin'>,
  input: Input
): Promise<Input> {
  const ask = ahead as unknown as (call: AnyCall) => Promise<unknown>
  const { query, body } = input
  try {
    return { ...input, ahead: await ask({ scope, params, query, body, origin }) }
  } catch (error) {
    await input.discard?.()
    throw error
  }
}
