import { Type } from '@sinclair/typebox'
import { observationKind, commandKind } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import { plugins } from '../plugins/plugin_registry.js'
import type { HookPlace } from '../tables.js'
import { makesSecret } from './hook_secrets.js'

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

/** Returns the plugin of a connection; null if it does not run. */
export const pluginOf = (connectionId: string) => plugins.find(connectionId.split(':', 1)[0])

/** Plans to register the callback address at the provider, if the plugin declares webhooks. */
export async function planHook(
  scope: Scope,
  { id, connectionId }: { id: string; connectionId: string }
): Promise<void> {
  const plugin = pluginOf(connectionId)
  if (plugin && makesSecret(plugin)) await scope.jobs.plan(hookKind, { subject: id, payload: {} })
}
