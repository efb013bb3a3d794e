import type { Instant } from '#foundation/core/clock'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type { ProviderErrorCode } from '#plugin-kit/provider_error'
import { connectionHealths } from '../tables.js'
import type { BreakerState } from '../vocabulary.js'

/** The health of one host of a provider. */
export interface HostHealth {
  host: string
  /** State of the breaker; `open` means not called for a while. */
  breaker: BreakerState
  since: Instant
  lastFailure: { at: Instant; code: ProviderErrorCode | null } | null
}

const HEALTHS = select(
  of(connectionHealths, 'h', ['host', 'state', 'since', 'failedAt', 'failure', 'openUntil']),
  `from connection_healths h
   where h.organization_id = :org and h.connection_id = :connectionId
   order by h.host`
)

/**
 * How the hosts of a connection are, as whichever process called them last wrote down; that may
 * be a second ago, and a process that ended keeps none closed to others. Hosts that were never
 * called are not there.
 */
export async function connectionHealth(scope: Scope, connectionId: string): Promise<HostHealth[]> {
  const rows = await scope.rows(HEALTHS, { connectionId })
  return rows.map(({ host, state, since, failedAt, failure, openUntil }) => ({
    host,
    breaker:
      state === 'open' && !(openUntil !== null && openUntil > scope.now) ? 'halfOpen' : state,
    since,
    lastFailure: failedAt === null ? null : { at: failedAt, code: failure },
  }))
}
