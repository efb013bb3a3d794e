import type { TSchema } from '@sinclair/typebox'
import {
  onCommand,
  type CallContext,
  type Job,
  type Outcome,
  type Work,
} from '#foundation/jobs/handlers'
import type { PayloadOf, WorkKind } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import type { VersionControl } from '#plugin-kit/capabilities/source'
import { isProviderError } from '#plugin-kit/provider_error'
import {
  askCode,
  CODE_COMMAND,
  unlessConflicting,
  type Conflict,
} from '#version_control/code_commands'
import { codeKind } from '#features/work_kinds'
import { isWanted } from '../code/is_wanted.js'
import {
  inConflict,
  recordBroughtCode,
  recordUnasked,
  type BroughtEntry,
} from '../code/record_brought_code.js'
import type { Pick } from '../tables.js'
import type { pickKind } from '../work_kinds.js'

type ToBringIn = PayloadOf<typeof pickKind>

/** The way in which the code of an approved request gets into the release. */
interface Bringing<Payload> {
  /** Idempotent: a repeated call finds what it has done, or that nothing is left to do. */
  bring(versionControl: VersionControl, job: Job<Payload>): Promise<Pick>
  report(payload: Payload, title: string, pick: Pick): BroughtEntry
}

/**
 * `unasked`: the host was not asked, because the request was rejected, its release is over, or its
 * branch has changed; `isAway`: the host has no branch of that name.
 */
type BringResult = Pick | Conflict | { unasked: true; isAway?: true }

/**
 * Defines the handler of a command that brings in code; code that does not apply leaves nothing
 * behind.
 */
export function onBringing<Payload extends ToBringIn>(
  kind: WorkKind<'command', TSchema & { static: Payload }>,
  { bring, report }: Bringing<Payload>
): Work {
  const note = (scope: Scope, job: Job<Payload>, pick: Pick) =>
    recordBroughtCode(scope, job, pick, report)
  return onCommand(kind, {
    ...CODE_COMMAND,
    isRepeatable: true,
    async call(job: Job<Payload>, context: CallContext): Promise<Outcome<BringResult>> {
      if (!(await isWanted(job, context))) {
        return { outcome: 'applied', result: { unasked: true } }
      }
      return askCode(job, context, (versionControl) =>
        unlessAway(versionControl, job.payload.branch, () =>
          unlessConflicting<BringResult>(() => bring(versionControl, job))
        )
      )
    },
    async storeResult(scope: Scope, job: Job<Payload>, result: BringResult) {
      if ('unasked' in result) return recordUnasked(scope, job, result.isAway === true)
      if (!('state' in result)) return note(scope, job, inConflict(result))
      await note(scope, job, result)
      // The next poll sees what else came with it.
      await scope.jobs.move(codeKind, job.payload.releaseId, scope.now)
    },
    afterLast: (scope: Scope, job: Job<Payload>, reason: string) =>
      note(scope, job, { state: 'failed', reason: reason.slice(0, 1000) }),
  })
}

/** Returns the answer of a call; `unasked` if the branch is missing or renamed. */
async function unlessAway(
  versionControl: VersionControl,
  branch: string,
  call: () => Promise<BringResult>
): Promise<BringResult> {
  try {
    return await call()
  } catch (error) {
    if (!isProviderError(error) || error.code !== 'notFound') throw error
    const found = await versionControl.getBranch(branch)
    if (found?.name === branch) throw error
    return { unasked: true, isAway: true }
  }
}
