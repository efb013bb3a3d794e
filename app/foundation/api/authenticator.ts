import type { Principal } from '../core/principal.js'
import type { ProblemCode } from '../core/problems/catalog.js'

/** Finds the principal of an `X-API-Key`; the organizations module provides it. */
export interface Authenticator {
  /**
   * @param admit called for a key that is cached, with its organization; returns the current change
   * number. While that has not changed, the cached key is valid.
   */
  authenticate(
    key: string,
    admit: (organizationId: string) => Promise<string>
  ): Promise<Principal | Extract<ProblemCode, `key_${string}`>>
}
