import { OF_AUTOMATIONS } from './conflict_cases/automations.js'
import { OF_BUILDS } from './conflict_cases/builds.js'
import { OF_FIXES } from './conflict_cases/fixes.js'
import { OF_ORGANIZATIONS } from './conflict_cases/organizations.js'
import { OF_RELEASES } from './conflict_cases/releases.js'
import { OF_SUBMISSIONS } from './conflict_cases/submissions.js'

/** A case for every 409 that stems from a status. */
export const CONFLICT_CASES = [
  ...OF_RELEASES,
  ...OF_SUBMISSIONS,
  ...OF_BUILDS,
  ...OF_FIXES,
  ...OF_AUTOMATIONS,
  ...OF_ORGANIZATIONS,
]
