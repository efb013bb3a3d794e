import { Type } from '@sinclair/typebox'
import { observationKind, commandKind } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import { plugins } from '../plugins/plugin_registry.js'
import type { HookPlace } from '../tables.js'

/**
 * Keeps the webhook of an integration registered at its provider; the subject is the id of the
 * integration. The webhook sends to the address of the connection.
 */
export const hookKind = observationKind('integration.hook', Type.Object({}))

/** Removes the webhook of a removed or changed integration at its provider. */
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

/** Plans to remove a webhook at the provider, unless another integration shares it. */
export async function requestUnhook(
  scope: Scope,
  integrationId: string,
  made: HookPlace & { ref: string }
): Promise<void> {
  await scope.jobs.command(unhookKind, { subject: integrationId, payload: { ...made } })
}

/** Plans to register the callback address at the provider, if the plugin supports webhooks. */
export async function planHook(
  scope: Scope,
  { id, connectionId }: { id: string; connectionId: string }
): Promise<void> {
  const [pluginId] = connectionId.split(':', 1)
  if (plugins.find(pluginId)?.webhooks)
    await scope.jobs.plan(hookKind, { subject: id, payload: {} })
}
