import type { Principal } from '../core/principal.js'
import type { ProblemCode } from '../core/problems/catalog.js'

/** Turns the value of `X-API-Key` into who asks; the organizations module provides it. */
export interface Authenticator {
  /**
   * @param admit called of a key that was read before, with its organization: while the number of
   * changes that it answers is what it was, the key is as it was read
   */
  authenticate(
    key: string,
    admit: (organizationId: string) => Promise<string>
  ): Promise<Principal | Extract<ProblemCode, `key_${string}`>>
}
