import type { UnitOfWork } from '../../core/database/unit_of_work.js'
import type { Principal } from '../../core/principal.js'
import type { AnyOperation } from '../operation/declaration.js'
import type { AnyCall } from './act_and_answer.js'
import { hasStoredAnswer, type IdempotentRequest } from './idempotency.js'
import type { Input, OperationRequest } from './request.js'

/**
 * Adds to the input of a write the data that its operation requests from others, such as providers,
 * before the transaction. A repeated idempotent request skips this: its stored answer is sent again.
 */
export async function withAhead(
  { unitOfWork }: { unitOfWork: Pick<UnitOfWork, 'readScope'> },
  { ahead }: AnyOperation,
  principal: Principal,
  { params, origin }: Pick<OperationRequest, 'params' | 'origin'>,
  input: Input,
  idempotent: IdempotentRequest | null
): Promise<Input> {
  if (!ahead) return input
  const scope = unitOfWork.readScope(principal)
  if (idempotent && (await hasStoredAnswer(scope, idempotent))) return input
  const ask = ahead as unknown as (call: AnyCall) => Promise<unknown>
  const { query, body } = input
  return { ...input, ahead: await ask({ scope, params, query, body, origin }) }
}
