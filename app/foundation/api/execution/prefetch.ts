import type { UnitOfWork } from '../../core/database/unit_of_work.js'
import type { Principal } from '../../core/principal.js'
import type { AnyOperation } from '../operation/declaration.js'
import type { AnyCall } from './act_and_respond.js'
import { hasResponse, type IdempotentRequest } from './idempotency.js'
import type { Input, OperationRequest } from './request.js'

/**
 * Requests the data that a write needs from others, such as providers, before its transaction, and
 * adds it to the input. Repeated idempotent requests skip this: they get the stored response.
 */
export async function withPrefetched(
  { unitOfWork }: { unitOfWork: Pick<UnitOfWork, 'readScope'> },
  { prefetch }: AnyOperation,
  principal: Principal,
  { params, origin }: Pick<OperationRequest, 'params' | 'origin'>,
  input: Input,
  idempotent: IdempotentRequest | null
): Promise<Input> {
  if (!prefetch) return input
  const scope = unitOfWork.readScope(principal)
  if (idempotent && (await hasResponse(scope, idempotent))) return input
  const request = prefetch as unknown as (call: AnyCall) => Promise<unknown>
  const { query, body } = input
  return { ...input, prefetched: await request({ scope, params, query, body, origin }) }
}
