import { RETRIES } from '#foundation/jobs/retry'
import app from '@adonisjs/core/services/app'
import { onObservation, onCommand, type CallContext } from '#foundation/jobs/handlers'
import { change, of, select } from '#foundation/core/database/statement'
import { HOUR, MINUTE } from '#foundation/core/durations'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { unitOfWork } from '#foundation/core/services'
import { openConnection } from '../connections/open_connection.js'
import { outcomeOfCall } from '../outcome_of_call.js'
import type { ProviderHooks } from '../plugins/plugin_caller.js'
import { integrationsOfConnection } from '../queries/app_integrations.js'
import { contextApp } from '../queries/context_app.js'
import { findConnection, pluginOfConnection } from '../queries/find_connection.js'
import { hookOfIntegration } from '../queries/find_hook.js'
import { readIntegration } from '../queries/find_installation.js'
import { integrations, type HookPlace } from '../tables.js'
import { callbackUrl } from './callback_url.js'
import { hookKind, planHook, pluginOf, unhookKind, requestUnhook } from './hook_kinds.js'
import { hookSecret, makesSecret } from './hook_secrets.js'

const ENSURED = change(
  `insert into integration_hooks (organization_id, integration_id, provider_ref, place, ensured_at)
   select i.organization_id, i.id, :ref, :place, :now
   from integrations i where i.organization_id = :org and i.id = :integrationId
   on conflict (integration_id) do update set provider_ref = excluded.provider_ref,
     place = excluded.place, ensured_at = excluded.ensured_at`
)

/** Finds an integration that shares a webhook. */
const SHARING = select(
  of(integrations, 'i', ['id']),
  `from integrations i
   join integration_hooks h on h.organization_id = i.organization_id and h.integration_id = i.id
   where i.organization_id = :org and i.connection_id = :connectionId and h.provider_ref = :ref
   limit 1`
)

async function hooksOf(
  { scope, signal }: CallContext,
  { connectionId, data, app: appOfHook }: HookPlace
): Promise<ProviderHooks> {
  const connection = await findConnection(scope, connectionId)
  const caller = await app.container.make('integrations.caller')
  const secrets = await app.container.make('integrations.secrets')
  const opened = await openConnection(scope, secrets, connection)
  return caller.hooks(pluginOfConnection(connection), opened, { data, app: appOfHook, signal })
}

/**
 * The result of ensuring a webhook: `needless` if its integration was removed or its plugin declares
 * no webhooks, null if no call is possible now, or the reference of the webhook.
 */
type Kept = 'needless' | null | { ref: string | null; place: HookPlace }

async function ensure(context: CallContext, id: string): Promise<Kept> {
  const { scope } = context
  const integration = await readIntegration(scope, id)
  if (!integration) return 'needless'
  const plugin = pluginOf(integration.connectionId)
  if (plugin && !makesSecret(plugin)) return 'needless'
  const address = { of: 'connection', id: integration.connectionId } as const
  const url = callbackUrl(address)
  if (url === null) return null
  try {
    const { connectionId, data } = integration
    const place = { connectionId, data, app: contextApp(integration) }
    const hooks = await hooksOf(context, place)
    const secrets = await app.container.make('integrations.secrets')
    // Stored before it is sent: a callback signed with it may come before the answer does.
    const secret = await unitOfWork.inTransaction(scope, (writing) =>
      hookSecret(writing, secrets, address)
    )
    return { ref: (await hooks.ensure(url, secret))?.id.slice(0, 255) ?? null, place }
  } catch (error) {
    // Without credentials or a plugin no call is possible; the next look tries again.
    if (error instanceof Problem) return null
    throw error
  }
}

async function keep(scope: Scope, integrationId: string, kept: Kept) {
  if (kept === 'needless') return 'over'
  if (kept === null) return 'unchanged'
  const { ref, place } = kept
  const before = await hookOfIntegration(scope, integrationId)
  // If the integration has moved, its previous webhook is removed. A new id at the same place means
  // that the provider itself replaced the webhook.
  const isMoved = before && JSON.stringify(before.place) !== JSON.stringify(place)
  if (isMoved && before.providerRef && before.providerRef !== ref) {
    await requestUnhook(scope, integrationId, { ...before.place, ref: before.providerRef })
  }
  await scope.change(ENSURED, { integrationId, ref, place: JSON.stringify(place), now: scope.now })
  return 'unchanged'
}

/** Ensures the webhook of each integration once a day, because some providers drop them. */
export const storeHooks = onObservation(hookKind, {
  actor: 'integrations',
  lease: 2 * MINUTE,
  every: { least: 24 * HOUR, most: 24 * HOUR },
  retry: RETRIES.ofPoll,
  poll: ({ subject }, context) => ensure(context, subject),
  store: (scope, { subject }, kept: Kept) => keep(scope, subject, kept),
})

/** Removes a webhook that its integration no longer needs, unless another one shares it. */
export const removeHook = onCommand(unhookKind, {
  actor: 'integrations',
  lease: 2 * MINUTE,
  retry: RETRIES.minutes,
  isRepeatable: true,
  call: ({ payload: { ref, ...place } }, context) =>
    outcomeOfCall(async () => {
      const { connectionId } = place
      if ((await context.scope.rows(SHARING, { connectionId, ref })).length > 0) return null
      await (await hooksOf(context, place as HookPlace)).remove({ id: ref })
      return null
    }),
  /**
   * An integration added meanwhile may rely on the webhook that was just removed, so all are
   * ensured again.
   */
  async storeResult(scope, { payload: { connectionId } }) {
    for (const each of await integrationsOfConnection(scope, connectionId)) {
      await planHook(scope, each)
    }
  },
})
