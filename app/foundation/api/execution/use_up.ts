import type { UnitOfWork } from '../../core/database/unit_of_work.js'
import type { Principal } from '../../core/principal.js'
import type { AnyOperation } from '../operation/declaration.js'
import { findResponse, runExclusive, storeResponse } from './idempotency.js'

/**
 * Consumes an idempotency key for an `apart` operation, which stores no responses.
 * @returns false if it was used before
 * @throws request_running
 */
export function useUp(
  unitOfWork: UnitOfWork,
  { method, path: route }: AnyOperation,
  principal: Principal,
  key: string
): Promise<boolean> {
  const keyUse = { principal, key, method, route, fingerprint: '' }
  return runExclusive(keyUse, () =>
    unitOfWork.inTransaction(principal, async (scope) => {
      if (await findResponse(scope, keyUse)) return false
      await storeResponse(scope, keyUse, { status: 204, headers: {}, bytes: '' })
      return true
    })
  )
}
