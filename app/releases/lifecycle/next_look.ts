import { Type } from '@sinclair/typebox'
import { timerKind } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'

/** The timer that evaluates a release again. The subject is the internal id of the release. */
export const nextLook = timerKind('release.nextLook', Type.Object({ appId: Type.String() }))

/** Plans the next evaluation of a release, or cancels it. */
export async function planNextLook(
  scope: Scope,
  { id, appId, nextLookAt }: Pick<Release, 'id' | 'appId' | 'nextLookAt'>
): Promise<void> {
  if (nextLookAt === null) await scope.jobs.cancel(nextLook, id)
  else await scope.jobs.plan(nextLook, { subject: id, at: nextLookAt, payload: { appId } })
}
