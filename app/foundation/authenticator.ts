import type { Standing } from './database/unit_of_work.js'
import type { ProblemCode } from './problems/catalog.js'

/** Turns the value of `X-API-Key` into who asks; the organizations module provides it. */
export interface Authenticator {
  authenticate(key: string): Promise<Standing | Extract<ProblemCode, `key_${string}`>>
}
