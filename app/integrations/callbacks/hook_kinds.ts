import { Type } from '@sinclair/typebox'
import { observationKind, commandKind } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import { plugins } from '../plugins/plugin_registry.js'
import type { HookPlace } from '../tables.js'

/**
 * The webhook of an integration is to be there at its provider; the subject is the integration.
 * It sends to the address of the connection.
 */
export const hookKind = observationKind('integration.hook', Type.Object({}))

/** A webhook of an integration that went is to be removed at its provider. */
export const unhookKind = commandKind(
  'integration.unhook',
  Type.Object({
    connectionId: Type.String(),
    data: Type.Unknown(),
    app: Type.Object({ id: Type.String(), repository: Type.Union([Type.String(), Type.Null()]) }),
    ref: Type.String(),
  }),
  'the provider of the integration'
)

/** Has the webhook of an integration removed where it was made, unless another shares it. */
export async function requestUnhook(
  scope: Scope,
  integrationId: string,
  made: HookPlace & { ref: string }
): Promise<void> {
  await scope.jobs.command(unhookKind, { subject: integrationId, payload: { ...made } })
}

/** Plans that the provider gets the address for its callbacks, if its plugin supports that. */
export async function planHook(
  scope: Scope,
  { id, connectionId }: { id: string; connectionId: string }
): Promise<void> {
  const [pluginId] = connectionId.split(':', 1)
  if (plugins.find(pluginId)?.webhooks)
    await scope.jobs.plan(hookKind, { subject: id, payload: {} })
}
