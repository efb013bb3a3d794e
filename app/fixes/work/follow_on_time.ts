import { onTime } from '#foundation/agenda/handlers'
import { releaseStillThere } from '#releases/queries/find_release'
import { followFixes } from '../follow_fixes.js'
import { followKind } from '../work_kinds.js'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Looks at what became of the code of the approved requests of a release. */
export const followOnTime = onTime(followKind, {
  actor: 'version control',
  lease: MINUTE,
  retry: { steps: [SECOND, 10 * SECOND, MINUTE] },
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async act(scope, { subject, payload }) {
    const release = await releaseStillThere(scope, payload.appId, subject)
    if (release) await followFixes(scope, release)
  },
})
