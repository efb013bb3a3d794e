import type { Train } from '#releases/tests/helpers/release_world'
import type { ApiAnswer } from '../api.js'

/** The version of the release that a case is given. */
export const VERSION = '1.0.0'

/** A conflict with a status: its cause, and the members of the answer. */
export interface Case {
  code: string
  what: string
  cause(train: Train): Promise<ApiAnswer<any>>
  currentStatus: string
  allowedActions: string[]
}
