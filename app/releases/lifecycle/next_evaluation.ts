import { Type } from '@sinclair/typebox'
import { timerKind } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'

/** The timer that evaluates a release again. The subject is the internal id of the release. */
export const nextEvaluation = timerKind(
  'release.nextEvaluation',
  Type.Object({ appId: Type.String() })
)

/** Plans the next evaluation of a release, or cancels it. */
export async function planNextEvaluation(
  scope: Scope,
  { id, appId, nextEvaluationAt }: Pick<Release, 'id' | 'appId' | 'nextEvaluationAt'>
): Promise<void> {
  if (nextEvaluationAt === null) await scope.jobs.cancel(nextEvaluation, id)
  else
    await scope.jobs.plan(nextEvaluation, { subject: id, at: nextEvaluationAt, payload: { appId } })
}
