import { as, of, select } from '#foundation/core/database/statement'
import { instant, optional } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import type { CallbackAddress } from '../callbacks/callback_url.js'
import { callbackAddresses, integrationHooks } from '../tables.js'

const ADDRESS = select(
  of(callbackAddresses, 'a', ['ciphertext', 'receivedAt']),
  `from callback_addresses a where a.organization_id = :org and a.id = :id`
)

const ENSURED = select(
  { ensuredAt: as(optional(instant()), 'max(h.ensured_at)') },
  `from integration_hooks h
   join integrations i on i.organization_id = h.organization_id and i.id = h.integration_id
   where h.organization_id = :org and i.connection_id = :id`
)

/**
 * Returns the state of a callback address: whether it has a secret, when its plugin last made or
 * found its webhooks, and the time of the latest callback.
 */
export async function findHook(scope: Scope, { of: owned, id }: CallbackAddress) {
  const [address] = await scope.rows(ADDRESS, { id })
  const [ensured] = owned === 'connection' ? await scope.rows(ENSURED, { id }) : []
  return {
    hasSecret: Boolean(address?.ciphertext),
    madeAt: ensured?.ensuredAt ?? null,
    receivedAt: address?.receivedAt ?? null,
  }
}

const OF_INTEGRATION = select(
  of(integrationHooks, 'h', ['providerRef', 'place']),
  'from integration_hooks h where h.organization_id = :org and h.integration_id = :integrationId'
)

/** Returns the webhook made for an integration, and its place; undefined if none was made yet. */
export async function hookOfIntegration(scope: Scope, integrationId: string) {
  const [hook] = await scope.rows(OF_INTEGRATION, { integrationId })
  return hook
}
