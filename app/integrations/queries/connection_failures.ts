import type { Instant } from '#foundation/core/clock'
import { as, of, select } from '#foundation/core/database/statement'
import { optional, text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import type { Kind } from '#plugin-kit/kinds'
import type { ProviderErrorCode } from '#plugin-kit/provider_error'
import { integrationCalls, integrations } from '../tables.js'
import type { ConnectionStatus } from '../vocabulary.js'

/** Why a connection cannot be worked with. */
export const FAILURE_CODES = ['noAnswer', 'refused', 'noCredentials'] as const

interface ConnectionFailure {
  code: (typeof FAILURE_CODES)[number]
  /** What is wrong and who can mend it, for people. */
  message: string
  /** When it was seen. */
  since: Instant | null
}

/** A connection that an app uses for some kinds, and that cannot be worked with. */
export interface FailingConnection extends ConnectionFailure {
  id: string
  /** By which people know it. */
  name: string
  kinds: ReadonlySet<Kind>
}

/** What says that a provider is away, rather than that it means something. */
const OUTAGES: ReadonlySet<ProviderErrorCode> = new Set(['unavailable', 'timeout'])

const OF_APP = select(
  {
    ...of(integrations, 'i', ['connectionId', 'kind']),
    alias: as(optional(text()), 'c.alias'),
    status: as(text<ConnectionStatus>(), 'c.status'),
  },
  `from integrations i
   join connections c on c.organization_id = i.organization_id and c.id = i.connection_id
   where i.organization_id = :org and i.app_id = :appId
   order by i.position, i.id`
)

const LAST_CALL = select(
  of(integrationCalls, 'k', ['calledAt', 'code']),
  `from integration_calls k
   where k.organization_id = :org and k.connection_id = :connectionId
   order by k.called_at desc, k.id desc limit 1`
)

/** The connections of an app that cannot be worked with now, as far as calls and checks have told. */
export async function failingConnections(
  scope: Scope,
  appId: string
): Promise<FailingConnection[]> {
  const rows = await scope.rows(OF_APP, { appId })
  const kinds = new Map<string, Set<Kind>>()
  for (const { connectionId, kind } of rows) {
    kinds.set(connectionId, (kinds.get(connectionId) ?? new Set()).add(kind))
  }
  const failing: FailingConnection[] = []
  for (const [id, used] of kinds) {
    const { alias, status } = rows.find(({ connectionId }) => connectionId === id)!
    const name = alias ?? id
    const failure = await failureOf(scope, { id, name, status })
    if (failure) failing.push({ id, name, kinds: used, ...failure })
  }
  return failing
}

const MENDERS = 'whoever may change integrations'

async function failureOf(
  scope: Scope,
  { id, name, status }: { id: string; name: string; status: ConnectionStatus }
): Promise<ConnectionFailure | null> {
  if (status === 'disconnected') {
    const message = `${name} has no credentials any more; ${MENDERS} can have it connected again.`
    return { code: 'noCredentials', message, since: null }
  }
  if (status === 'needs_reauth') {
    const message = `${name} refuses the credentials of the connection; ${MENDERS} can give it new ones.`
    return { code: 'refused', message, since: null }
  }
  const [last] = await scope.rows(LAST_CALL, { connectionId: id })
  if (!last?.code || !OUTAGES.has(last.code)) return null
  const message = `${name} did not answer when it was last asked; the provider, or ${MENDERS}, can mend it.`
  return { code: 'noAnswer', message, since: last.calledAt }
}
