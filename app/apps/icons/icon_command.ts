import { Type } from '@sinclair/typebox'
import { commandKind } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'

/** A request to fetch the icon of an app. The subject is the app's id. */
export const iconCommand = commandKind(
  'app.icon',
  Type.Object({ url: Type.String() }),
  'the address of the icon'
)

/** Queues a fetch of an app's icon by a worker. It replaces a pending fetch. */
export async function requestIcon(scope: Scope, appId: string, url: string): Promise<void> {
  await forgetIcon(scope, appId)
  await scope.jobs.command(iconCommand, { subject: appId, payload: { url } })
}

/** Cancels a pending fetch of an app's icon that has not started. */
export async function forgetIcon(scope: Scope, appId: string): Promise<void> {
  await scope.jobs.cancel(iconCommand, appId)
}
