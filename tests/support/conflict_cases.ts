import { AUTOMATION_CONFLICTS } from './conflict_cases/automations.js'
import { BUILD_CONFLICTS } from './conflict_cases/builds.js'
import { FIX_CONFLICTS } from './conflict_cases/fixes.js'
import { ORGANIZATION_CONFLICTS } from './conflict_cases/organizations.js'
import { RELEASE_CONFLICTS } from './conflict_cases/releases.js'
import { SUBMISSION_CONFLICTS } from './conflict_cases/submissions.js'

/** A case for every 409 that stems from a status. */
export const CONFLICT_CASES = [
  ...RELEASE_CONFLICTS,
  ...SUBMISSION_CONFLICTS,
  ...BUILD_CONFLICTS,
  ...FIX_CONFLICTS,
  ...AUTOMATION_CONFLICTS,
  ...ORGANIZATION_CONFLICTS,
]
