import type { Answer, Answering } from '../operation/answer.js'
import type { AnyOperation, Call } from '../operation/declaration.js'

/** A call whose types are its operation's matter. */
export type AnyCall = Call<unknown, unknown, unknown>

/**
 * Carries an operation out: it acts, what it touched is derived, and then its answer is read.
 * @throws Error where it has read its answer before; what the handler throws
 */
export async function actAndAnswer(operation: AnyOperation, call: AnyCall): Promise<Answer> {
  const handle = operation.handle as unknown as (call: AnyCall) => Promise<Answer | Answering>
  const made = await handle(call)
  const { scope } = call
  if (typeof made === 'function') {
    await scope.derive()
    return made()
  }
  // An asker without an organization has no scope.
  if (!(scope as AnyCall['scope'] | undefined)?.isTouched) return made
  if (made.body !== undefined) throw new Error(`${operation.id} has answered before it was derived`)
  await scope.derive()
  return made
}
