import { enumeration } from '#foundation/core/enumerations'

/** `CIBuildStatus`. */
export const CI_BUILD_STATUSES = enumeration(
  'CIBuildStatus',
  ['pending', 'running', 'success', 'failed', 'canceled', 'skipped'],
  'What a CI build has come to; the last four are final.'
)
export type CIBuildStatus = (typeof CI_BUILD_STATUSES)[number]

/** Those after which a build does not go on. */
export const isFinalStatus = (status: CIBuildStatus): boolean =>
  status !== 'pending' && status !== 'running'
