import { entityTag } from '#foundation/api/execution/entity_tag'
import type { PlainRequest } from '#foundation/api/execution/input_of'
import { bodyIn } from '#foundation/api/operation/steps'
import { readOrNull, type Caller } from './asking.js'
import type { Write } from './two_steps.js'

/**
 * Returns the request of a write that only stops something in the current state; null for others.
 * The request is bound to that state (`If-Match`): it is refused if the state changes meanwhile.
 */
export async function stopIn(
  caller: Caller,
  { operation, request }: Write
): Promise<PlainRequest | null> {
  const { steps, precondition } = operation
  if (!steps?.isStop || !precondition || request.ifMatch !== undefined) return null
  const present = await readOrNull(caller, precondition.of, request.params ?? {})
  if (present === null || !steps.isStop(bodyIn(request), JSON.parse(present))) return null
  return { ...request, ifMatch: entityTag(present) }
}
