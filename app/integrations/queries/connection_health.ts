import type { Instant } from '#foundation/core/clock'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type { ProviderErrorCode } from '#plugin-kit/provider_error'
import { connectionHealths } from '../tables.js'
import type { BreakerState } from '#provider-port/records'

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
 * Returns the health of a connection's hosts, as the last calling process recorded it, up to a
 * second ago. A breaker whose process ended counts as half open once its time is over. Hosts
 * without calls are missing.
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
