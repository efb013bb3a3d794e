import type { Answer } from '../operation/answer.js'
import type { AnyOperation, Call } from '../operation/declaration.js'

/** A call whose types are its operation's matter. */
export type AnyCall = Call<unknown, unknown, unknown>

export function handlerOf(operation: AnyOperation): (call: AnyCall) => Promise<Answer> {
  return operation.handle as unknown as (call: AnyCall) => Promise<Answer>
}
