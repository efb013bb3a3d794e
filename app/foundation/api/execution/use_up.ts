import type { UnitOfWork } from '../../core/database/unit_of_work.js'
import type { Principal } from '../../core/principal.js'
import type { AnyOperation } from '../operation/declaration.js'
import { findResponse, runExclusive, storeResponse } from './idempotency.js'

/**
 * Uses up an idempotency key for an `apart` operation, which stores no answers.
 * @returns false if it was used before
 * @throws request_running
 */
export function useUp(
  unitOfWork: UnitOfWork,
  { method, path: route }: AnyOperation,
  principal: Principal,
  key: string
): Promise<boolean> {
  const used = { principal, key, method, route, fingerprint: '' }
  return runExclusive(used, () =>
    unitOfWork.inTransaction(principal, async (scope) => {
      if (await findResponse(scope, used)) return false
      await storeResponse(scope, used, { status: 204, headers: {}, bytes: '' })
      return true
    })
  )
}
