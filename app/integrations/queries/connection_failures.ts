import { earlier, type Instant } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { as, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { optional, text, type RowOf } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import type { Kind } from '#plugin-kit/kinds'
import type { ProviderErrorCode } from '#plugin-kit/provider_error'
import { integrationCalls, integrationFailures, integrations } from '../tables.js'
import type { ConnectionStatus } from '../vocabulary.js'

/** Why a connection cannot be worked with. */
export const FAILURE_CODES = [
  'noAnswer',
  'refused',
  'noCredentials',
  'forbidden',
  'limited',
  'unreadable',
] as const

export interface ConnectionFailure {
  code: (typeof FAILURE_CODES)[number]
  /** The fault and who can fix it, for people. */
  message: string
  /** Time of the first failure. */
  since: Instant | null
  /** The role at the provider that has to act; absent for anybody else. */
  who?: string
}

/** A connection that an app uses for some kinds, and that cannot be worked with. */
export interface FailingConnection extends ConnectionFailure {
  id: string
  /** The integration with a failing read; null if the whole connection fails. */
  integrationId: string | null
  /** The name by which people know the connection. */
  name: string
  kinds: ReadonlySet<Kind>
}

/** Errors that mean an unavailable provider. */
const OUTAGES: ReadonlySet<ProviderErrorCode> = new Set(['unavailable', 'timeout'])

const SELECT_BY_APP = select(
  {
    ...of(integrations, 'i', ['id', 'connectionId', 'kind']),
    alias: as(optional(text()), 'c.alias'),
    status: as(text<ConnectionStatus>(), 'c.status'),
  },
  `from integrations i
   join connections c on c.organization_id = i.organization_id and c.id = i.connection_id
   where i.organization_id = :org and i.app_id = :appId
   order by i.position, i.id`
)

const UNREAD = select(
  of(integrationFailures, 'f', ['integrationId', 'method', 'code', 'message', 'who', 'since']),
  `from integration_failures f
   join integrations i on i.organization_id = f.organization_id and i.id = f.integration_id
   where f.organization_id = :org and i.app_id = :appId and f.seen_at > :recently
   order by f.since, f.method`
)

/**
 * Maximum age of a failure that still counts, in milliseconds: everything is read at least once a
 * day.
 */
const RECENT = 2 * DAY

/** The failure of a connection by the error of a read. */
const FAILURES: Partial<Record<ProviderErrorCode, ConnectionFailure['code']>> = {
  unauthorized: 'refused',
  forbidden: 'forbidden',
  rateLimited: 'limited',
  quotaExhausted: 'limited',
  timeout: 'noAnswer',
  unavailable: 'noAnswer',
}

const LAST_CALLS = select(
  of(integrationCalls, 'k', ['connectionId', 'calledAt', 'code']),
  `from integration_calls k where k.organization_id = :org and k.id in (
     select (select l.id from integration_calls l
             where l.organization_id = c.organization_id and l.connection_id = c.id
             order by l.called_at desc, l.id desc limit 1)
     from connections c where c.organization_id = :org and c.id in json(:ids))`
)

/** Returns the connections of an app that do not work now, according to calls and checks. */
export async function failingConnections(
  scope: Scope,
  appId: string
): Promise<FailingConnection[]> {
  const rows = await scope.rows(SELECT_BY_APP, { appId })
  const kinds = new Map<string, Set<Kind>>()
  for (const { connectionId, kind } of rows) {
    kinds.set(connectionId, (kinds.get(connectionId) ?? new Set()).add(kind))
  }
  const used = [...kinds].map(([id, ofKinds]) => {
    const { alias, status } = rows.find(({ connectionId }) => connectionId === id)!
    return { id, name: alias ?? id, status, kinds: ofKinds }
  })
  const failures = await failuresOf(scope, used)
  const failing = used.flatMap(({ id, name, kinds: ofKinds }): FailingConnection[] => {
    const failure = failures.get(id)
    return failure ? [{ id, integrationId: null, name, kinds: ofKinds, ...failure }] : []
  })
  const unread = (await unreadIntegrations(scope, appId, rows)).filter(
    ({ id }) => !failures.has(id)
  )
  return [...failing, ...unread]
}

const UNREAD_OF_CONNECTIONS = select(
  {
    ...of(integrationFailures, 'f', ['method', 'code', 'message', 'who', 'since']),
    ...of(integrations, 'i', ['connectionId']),
  },
  `from integration_failures f
   join integrations i on i.organization_id = f.organization_id and i.id = f.integration_id
   where f.organization_id = :org and f.seen_at > :recently
   order by f.since, f.method`
)

/** Returns the first failing read of each connection that has one, by the id of the connection. */
export async function unreadConnections(
  scope: Scope,
  nameOf: (connectionId: string) => string
): Promise<Map<string, ConnectionFailure>> {
  const rows = await scope.rows(UNREAD_OF_CONNECTIONS, { recently: earlier(scope.now, RECENT) })
  return new Map(
    rows.toReversed().map((row) => [row.connectionId, unreadFailure(row, nameOf(row.connectionId))])
  )
}

/** Returns the integrations of an app with a read that failed when it was last tried. */
async function unreadIntegrations(
  scope: Scope,
  appId: string,
  rows: readonly RowOfSelect<typeof SELECT_BY_APP>[]
): Promise<FailingConnection[]> {
  const recently = earlier(scope.now, RECENT)
  const found = new Map<string, FailingConnection>()
  for (const unread of await scope.rows(UNREAD, { appId, recently })) {
    const { integrationId } = unread
    const row = rows.find(({ id }) => id === integrationId)
    if (!row || found.has(integrationId)) continue
    const name = row.alias ?? row.connectionId
    found.set(integrationId, {
      ...{ id: row.connectionId, integrationId, name, kinds: new Set([row.kind]) },
      ...unreadFailure(unread, name),
    })
  }
  return [...found.values()]
}

function unreadFailure(
  { method, code, message, who, since }: Unread,
  name: string
): ConnectionFailure {
  const failed = `${method} of ${name} has failed since ${since} (${code}: ${message}): what is shown of it may be out of date.`
  const mender = who === null ? `The provider, or ${MENDERS},` : `The ${who} of ${name}`
  return {
    since,
    code: FAILURES[code] ?? 'unreadable',
    message: `${failed} ${mender} can fix it.`,
    ...(who !== null && { who }),
  }
}

type Unread = Pick<
  RowOf<typeof integrationFailures>,
  'method' | 'code' | 'message' | 'who' | 'since'
>

/** The people who can repair a connection, in words. */
export const MENDERS = 'someone who may change integrations'

interface NamedConnection {
  id: string
  name: string
  status: ConnectionStatus
}

/**
 * Returns the failures of the connections that fail, by id, according to checks and latest calls.
 */
export async function failuresOf(
  scope: Scope,
  connections: readonly NamedConnection[]
): Promise<Map<string, ConnectionFailure>> {
  const ids = connections.map(({ id }) => id)
  const last = ids.length > 0 ? await scope.rows(LAST_CALLS, { ids: JSON.stringify(ids) }) : []
  const lastOf = new Map(last.map((call) => [call.connectionId, call]))
  return new Map(
    connections.flatMap((connection): [string, ConnectionFailure][] => {
      const failure = failureOf(connection, lastOf.get(connection.id))
      return failure ? [[connection.id, failure]] : []
    })
  )
}

function failureOf(
  { name, status }: NamedConnection,
  last: RowOfSelect<typeof LAST_CALLS> | undefined
): ConnectionFailure | null {
  if (status === 'disconnected') {
    const message = `${name} no longer has credentials; ${MENDERS} can connect it again.`
    return { code: 'noCredentials', message, since: null }
  }
  if (status === 'needs_reauth') {
    const message = `${name} refuses the credentials of the connection; ${MENDERS} can give it new ones.`
    return { code: 'refused', message, since: null }
  }
  if (!last?.code || !OUTAGES.has(last.code)) return null
  const message = `${name} did not respond when it was last called; the provider, or ${MENDERS}, can fix it.`
  return { code: 'noAnswer', message, since: last.calledAt }
}
