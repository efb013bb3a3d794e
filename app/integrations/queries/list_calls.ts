import { of, select } from '#foundation/core/database/statement'
import type { RowOf } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { integrationCalls } from '../tables.js'

/** One attempt at a call, as the integration log has it. */
export type ListedCall = Omit<RowOf<typeof integrationCalls>, 'id' | 'organizationId'>

const CALLS = select(
  of(integrationCalls, 'c', [
    'calledAt',
    'connectionId',
    'pluginId',
    'method',
    'host',
    'path',
    'status',
    'milliseconds',
    'attempt',
    'remaining',
    'outcome',
    'code',
  ]),
  `from integration_calls c
   where c.organization_id = :org
     and (cast(:connectionId as varchar(64)) is null or c.connection_id = :connectionId)
     and (cast(:onlyFailures as integer) = 0 or c.code is not null)
   order by c.called_at desc, c.id desc limit :limit`
)

/** Returns the latest calls of an organization or of one of its connections, newest first. */
export function listCalls(
  scope: Scope,
  {
    connectionId = null,
    onlyFailures = false,
    limit,
  }: { connectionId?: string | null; onlyFailures?: boolean; limit: number }
): Promise<ListedCall[]> {
  return scope.rows(CALLS, { connectionId, onlyFailures: onlyFailures ? 1 : 0, limit })
}
