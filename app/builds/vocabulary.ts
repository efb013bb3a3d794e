import { enumeration } from '#foundation/core/enumerations'

/** `CIBuildStatus`. */
export const CI_BUILD_STATUSES = enumeration(
  'CIBuildStatus',
  ['pending', 'running', 'success', 'failed', 'canceled', 'skipped'],
  'Status of a CI build; the last four are final.'
)
export type CIBuildStatus = (typeof CI_BUILD_STATUSES)[number]

/** Returns whether a build with this status has ended. */
export const isFinalStatus = (status: CIBuildStatus): boolean =>
  status !== 'pending' && status !== 'running'

const RANK: Record<CIBuildStatus, number> = {
  pending: 0,
  running: 1,
  success: 2,
  failed: 2,
  canceled: 2,
  skipped: 2,
}

/**
 * Returns the effect of a reported status: none, an advance to it, or an impossible change, because
 * the report is late or the build already has another final status.
 */
export function progress(
  from: CIBuildStatus,
  reported: CIBuildStatus
): 'same' | 'further' | 'impossible' {
  if (from === reported) return 'same'
  return !isFinalStatus(from) && RANK[reported] > RANK[from] ? 'further' : 'impossible'
}

/** The relation of a file to its build: made by it, or attached to it. */
export type CiFileKind = 'artifact' | 'additional'

/** The placeholder of an unknown commit hash, as Git writes it. */
export const UNKNOWN_COMMIT = '0'.repeat(40)
