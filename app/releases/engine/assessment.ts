import type { ReleaseStepStatus } from '#releases/vocabulary'
import type { Condition } from './conditions.js'

/**
 * A step's status and the conditions that keep it from `complete`. There are none if and only if it
 * is complete.
 */
export interface Assessment {
  status: ReleaseStepStatus
  unmet: Condition[]
}

export const COMPLETE: Assessment = { status: 'complete', unmet: [] }

/** Returns an assessment of an incomplete step, with its one condition. */
export function incomplete(status: ReleaseStepStatus, condition: Condition): Assessment {
  return { status, unmet: [condition] }
}
