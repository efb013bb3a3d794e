import { as, of, select } from '#foundation/core/database/statement'
import { instant, optional } from '#foundation/core/database/table'
import { jobs } from '#foundation/core/jobs/tables'
import type { Scope } from '#foundation/core/scope'
import type { CallbackAddress } from '../callbacks/callback_url.js'
import { hookKind } from '../callbacks/hook_kinds.js'
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

const FAILED = select(
  of(jobs, 'e', ['lastError']),
  `from jobs e
   join integrations i on i.organization_id = e.organization_id and i.id = e.subject
   where e.organization_id = :org and e.kind = '${hookKind.name}' and i.connection_id = :id
     and e.last_error is not null
   order by e.subject limit 1`
)

/**
 * Returns the state of a callback address: whether it has a secret, when its plugin last made or
 * found its webhooks, why it failed to, and the time of the latest callback.
 */
export async function findHook(scope: Scope, { of: owned, id }: CallbackAddress) {
  const [address] = await scope.rows(ADDRESS, { id })
  const isOfConnection = owned === 'connection'
  const [ensured] = isOfConnection ? await scope.rows(ENSURED, { id }) : []
  const [failed] = isOfConnection ? await scope.rows(FAILED, { id }) : []
  return {
    hasSecret: Boolean(address?.ciphertext),
    madeAt: ensured?.ensuredAt ?? null,
    failure: failed?.lastError ?? null,
    receivedAt: address?.receivedAt ?? null,
  }
}

const SELECT_BY_INTEGRATION = select(
  of(integrationHooks, 'h', ['providerRef', 'place']),
  'from integration_hooks h where h.organization_id = :org and h.integration_id = :integrationId'
)

/** Returns the webhook made for an integration, and its place; undefined if none was made yet. */
export async function hookOfIntegration(scope: Scope, integrationId: string) {
  const [hook] = await scope.rows(SELECT_BY_INTEGRATION, { integrationId })
  return hook
}
