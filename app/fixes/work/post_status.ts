import { RETRIES } from '#foundation/jobs/retry'
import { onCommand } from '#foundation/jobs/handlers'
import { feature } from '#plugin-kit/capabilities/map'
import { askCode } from '#version_control/code_commands'
import { MINUTE } from '#foundation/core/durations'
import { statusKind } from '../work_kinds.js'

/** Name of the status at the provider. */
const STATUS_NAME = 'tarmac/fix-request'

/** Posts a commit status that says whether a pull request is approved for the release. */
export const postStatus = onCommand(statusKind, {
  actor: 'version control',
  lease: 2 * MINUTE,
  retry: RETRIES.hour,
  // Posting the same status again changes nothing.
  isRepeatable: true,
  call: (job, context) =>
    askCode(job, context, async (versionControl) => {
      const { commit, state, description } = job.payload
      const { idempotencyKey } = job
      const status = { name: STATUS_NAME, state, description }
      await feature(versionControl, 'setStatus')(commit, status, { idempotencyKey })
      return {}
    }),
  storeResult: async () => {},
})
