import { count } from '#foundation/core/schemas'
import type { ReleasePart } from '#releases/parts'
import { evidence } from './evidence.js'
import { countFixRequests, listFixRequests } from './queries/fix_requests.js'
import { freeIssue } from './triage_fixes.js'

declare module '#releases/parts' {
  interface ReleaseDetailMembers {
    fixRequests: number
  }
}

/** The fix requests of a release: it counts them, and they go with it. */
export const releasePart: ReleasePart = {
  name: 'fixes',
  evidence,
  detail: {
    schema: { fixRequests: count('How many fix requests it has.') },
    of: async (scope, release) => ({ fixRequests: await countFixRequests(scope, release.id) }),
    example: { fixRequests: 0 },
  },
  /** The requests themselves go with the row of the release. */
  async remove(scope, release) {
    for (const request of await listFixRequests(scope, release.id)) await freeIssue(scope, request)
  },
}
