import type { InputErrors } from '../../core/problems/input_errors.js'
import type { OperationResponse, ResponseReader } from '../operation/response.js'
import type { AnyOperation, Call } from '../operation/declaration.js'

/** A call of any operation, with types that only the operation knows. */
export type AnyCall = Call<unknown, unknown, unknown>

/** The rules of any operation for an input that is partly malformed. */
export type Check = (call: AnyCall, errors: InputErrors) => Promise<unknown>

/**
 * Runs the handler of an operation, derives what it touched, and then reads its response.
 * @throws Error if the handler has read its response before the derivation; errors of the handler
 */
export async function actAndRespond(
  operation: AnyOperation,
  call: AnyCall
): Promise<OperationResponse> {
  const handle = operation.handle as unknown as (
    call: AnyCall
  ) => Promise<OperationResponse | ResponseReader>
  const made = await handle(call)
  const { scope } = call
  if (typeof made === 'function') {
    await scope.derive()
    return made()
  }
  // A requester without an organization has no scope.
  if (!(scope as AnyCall['scope'] | undefined)?.isTouched) return made
  if (made.body !== undefined) throw new Error(`${operation.id} has answered before it was derived`)
  await scope.derive()
  return made
}
