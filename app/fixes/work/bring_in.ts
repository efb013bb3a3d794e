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
  conflictPick,
  recordPick,
  recordUnasked,
  type PickEntry,
} from '../code/record_brought_code.js'
import type { Pick } from '../tables.js'
import type { pickKind } from '../work_kinds.js'

type PickPayload = PayloadOf<typeof pickKind>

/** How the code of an approved request gets into the release. */
interface PickHandler<Payload> {
  /** Idempotent: a retry finds that the code is already there. */
  bring(versionControl: VersionControl, job: Job<Payload>): Promise<Pick>
  report(payload: Payload, title: string, pick: Pick): PickEntry
}

/**
 * `unasked`: the host was not called, because the request was rejected, its release is over, or its
 * branch has changed; `isAway`: the host has no branch of that name.
 */
type PickResult = Pick | Conflict | { unasked: true; isAway?: true }

/**
 * Defines the handler of a command that picks or merges code. A pick with conflicts changes nothing
 * on the branch.
 */
export function onPick<Payload extends PickPayload>(
  kind: WorkKind<'command', TSchema & { static: Payload }>,
  { bring, report }: PickHandler<Payload>
): Work {
  const record = (scope: Scope, job: Job<Payload>, pick: Pick) =>
    recordPick(scope, job, pick, report)
  return onCommand(kind, {
    ...CODE_COMMAND,
    isRepeatable: true,
    async call(job: Job<Payload>, context: CallContext): Promise<Outcome<PickResult>> {
      if (!(await isWanted(job, context))) {
        return { outcome: 'applied', result: { unasked: true } }
      }
      return askCode(job, context, (versionControl) =>
        unlessBranchMissing(versionControl, job.payload.branch, () =>
          unlessConflicting<PickResult>(() => bring(versionControl, job))
        )
      )
    },
    async storeResult(scope: Scope, job: Job<Payload>, result: PickResult) {
      if ('unasked' in result) return recordUnasked(scope, job, result.isAway === true)
      if (!('state' in result)) return record(scope, job, conflictPick(result))
      await record(scope, job, result)
      // A poll finds the commits that came with it.
      await scope.jobs.move(codeKind, job.payload.releaseId, scope.now)
    },
    afterLast: (scope: Scope, job: Job<Payload>, reason: string) =>
      record(scope, job, { state: 'failed', reason: reason.slice(0, 1000) }),
  })
}

/** Returns the result of a call; `unasked` if the branch is missing or was renamed. */
async function unlessBranchMissing(
  versionControl: VersionControl,
  branch: string,
  call: () => Promise<PickResult>
): Promise<PickResult> {
  try {
    return await call()
  } catch (error) {
    if (!isProviderError(error) || error.code !== 'notFound') throw error
    const found = await versionControl.getBranch(branch)
    if (found?.name === branch) throw error
    return { unasked: true, isAway: true }
  }
}
