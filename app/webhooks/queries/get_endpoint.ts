import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { EndpointRow } from '#webhooks/rows'

/** Returns an endpoint of the organization. @throws not_found */
export async function getEndpoint(scope: Scope, id: string): Promise<EndpointRow> {
  const row: EndpointRow | null = await scope.table('webhook_endpoints').where('id', id).first()
  if (!row) throw refuse('not_found')
  return row
}

/** Returns all endpoints of the organization, oldest first. */
export function listEndpoints(scope: Scope): Promise<EndpointRow[]> {
  return scope.table('webhook_endpoints').orderBy('created_at').orderBy('id')
}
