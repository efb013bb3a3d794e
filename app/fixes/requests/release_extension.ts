import type { Actor } from '#foundation/core/principal'
import { count } from '#foundation/core/schemas'
import { holderOf, type Who } from '#releases/engine/conditions'
import type { ReleaseExtension } from '#releases/extensions'
import { evidence } from './evidence.js'
import { missingInBuild, notIn } from '../code/missing_in_build.js'
import { countFixRequests, listFixRequests } from '../queries/fix_requests.js'
import { loadNamedPulls } from '../queries/named_pulls.js'
import { freeIssue } from '../triage/triage_fixes.js'
import { isOfPeople, waitsFor } from './waits_for.js'

declare module '#releases/extensions' {
  interface ReleaseDetailMembers {
    fixRequests: number
  }
}

/** Extends releases by their fix requests, which are counted and deleted with them. */
export const releaseExtension: ReleaseExtension = {
  name: 'fixes',
  lifecycle: {
    /** Reopens the issues; the requests are deleted with the row of the release. */
    async remove(scope, release) {
      for (const request of await listFixRequests(scope, release.id))
        await freeIssue(scope, request)
    },
  },
  presentation: {
    evidence,
    detail: {
      schema: { fixRequests: count('Number of fix requests of the release.') },
      of: async (scope, release) => ({ fixRequests: await countFixRequests(scope, release.id) }),
      example: { fixRequests: 0 },
    },
    /**
     * Lists the requests that wait for people, with their first task, and those that are merged but
     * not in the build that users get.
     */
    async stalled(scope, { id, appId, status }) {
      if (status !== 'active') return []
      const requests = await listFixRequests(scope, id)
      const pullsOf = await loadNamedPulls(scope, appId, requests)
      const isMerged = requests.some(({ status: of }) => of === 'merged')
      const missing = isMerged ? await missingInBuild(scope, { id, appId }) : () => null
      return requests.flatMap((request) => {
        const { id: fixId, title: name, requester } = request
        const subject = { type: 'fixRequest', id: fixId, name }
        const build = request.status === 'merged' ? missing(request.includedCode) : null
        if (build) {
          return {
            code: 'fix_not_in_build',
            message: `${name} is merged and ${notIn(build)}: users only get it with a new build.`,
            subject,
            who: [holderOf('SubmitForReview')],
          }
        }
        const wait = waitsFor(request, pullsOf(request)).find(isOfPeople)
        if (!wait) return []
        return {
          code: `fix_${wait.code}`,
          message: `${name}: ${wait.message}`,
          subject,
          who: [...askers(requester), holderOf('ApproveFixes')],
        }
      })
    },
  },
}

/** Returns the requester if it is a person. */
const askers = ({ type, id, name }: Actor): Who[] =>
  type === 'user' && id ? [{ type: 'user', id, name }] : []
