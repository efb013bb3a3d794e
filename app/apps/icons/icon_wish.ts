import { Type } from '@sinclair/typebox'
import { wishKind } from '#foundation/core/agenda/kinds'
import type { Scope } from '#foundation/core/scope'

/** The icon of an app is to be fetched; the subject is the app's id. */
export const iconWish = wishKind(
  'app.icon',
  Type.Object({ url: Type.String() }),
  'the address of the icon'
)

/** Has the icon of an app fetched by a worker, in place of one that was to be fetched before. */
export async function wishIcon(scope: Scope, appId: string, url: string): Promise<void> {
  await forgetIcon(scope, appId)
  await scope.agenda.wish(iconWish, { subject: appId, payload: { url } })
}

/** Takes back what was to be fetched for an app and was not begun. */
export async function forgetIcon(scope: Scope, appId: string): Promise<void> {
  await scope.agenda.cancel(iconWish, appId)
}
