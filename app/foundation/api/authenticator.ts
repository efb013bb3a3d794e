import type { Principal } from '../core/principal.js'
import type { ProblemCode } from '../core/problems/catalog.js'

/** Turns the value of `X-API-Key` into who asks; the organizations module provides it. */
export interface Authenticator {
  authenticate(key: string): Promise<Principal | Extract<ProblemCode, `key_${string}`>>
}
