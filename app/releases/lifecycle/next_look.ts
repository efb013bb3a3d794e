import { Type } from '@sinclair/typebox'
import { timerKind } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'

/** A release is evaluated again because its time has come; the subject is its internal id. */
export const nextLook = timerKind('release.nextLook', Type.Object({ appId: Type.String() }))

/** Plans when a release is to be looked at again, or that it is not. */
export async function planNextLook(
  scope: Scope,
  { id, appId, nextLookAt }: Pick<Release, 'id' | 'appId' | 'nextLookAt'>
): Promise<void> {
  if (nextLookAt === null) await scope.jobs.cancel(nextLook, id)
  else await scope.jobs.plan(nextLook, { subject: id, at: nextLookAt, payload: { appId } })
}
