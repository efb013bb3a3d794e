import type { ReleaseStepStatus } from '#releases/vocabulary'
import type { Condition } from './conditions.js'

/** A step's status and what keeps it from `complete`; nothing is unmet exactly when it is. */
export interface Assessment {
  status: ReleaseStepStatus
  unmet: Condition[]
}

export const COMPLETE: Assessment = { status: 'complete', unmet: [] }

/** An assessment short of complete, with its one reason. */
export function incomplete(status: ReleaseStepStatus, condition: Condition): Assessment {
  return { status, unmet: [condition] }
}
