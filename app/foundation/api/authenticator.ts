import type { Standing } from '../core/database/unit_of_work.js'
import type { ProblemCode } from '../core/problems/catalog.js'

/** Turns the value of `X-API-Key` into who asks; the organizations module provides it. */
export interface Authenticator {
  authenticate(key: string): Promise<Standing | Extract<ProblemCode, `key_${string}`>>
}
