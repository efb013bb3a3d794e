import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { integrationHooks } from '../tables.js'

const HOOK = select(
  of(integrationHooks, 'h', ['ensuredAt', 'receivedAt', 'updatedAt']),
  `from integration_hooks h
   where h.organization_id = :org and h.integration_id = :integrationId`
)

/** Returns the callback state of an integration; null while it has no secret. */
export async function findHook(scope: Scope, integrationId: string) {
  const [hook] = await scope.rows(HOOK, { integrationId })
  return hook ?? null
}
