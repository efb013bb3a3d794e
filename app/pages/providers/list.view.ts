import type { ConnectionEntity } from '#integrations/connection_entities'
import { addresses, addressOf } from '../addresses.js'
import type { PageCall, PageView } from '../frame/page.js'
import { appNames, type NameOfApp } from '../words/names.js'
import { counted } from '../words/numbers.js'
import type { ConnectionsAnswers } from './answers.js'
import { checkedText, nameOf, stateOf } from './state.js'

type Call = Pick<PageCall, 'reader' | 'params'>

/** Seconds between polls of a list with a failing connection. */
const WATCHED_SECONDS = 15

/** The most apps that a row names. */
const MAX_NAMED = 3

/**
 * Returns the view of all connections: failing ones first, then those that need attention, then the
 * rest.
 */
export function connectionsView(
  { connections, apps }: ConnectionsAnswers,
  { reader, params: { orgId } }: Call
) {
  const nameOfApp = appNames(apps)
  const rows = connections
    .map((connection) => ({ connection, state: stateOf(connection, reader) }))
    .toSorted(
      (one, other) =>
        one.state.rank - other.state.rank ||
        nameOf(one.connection).localeCompare(nameOf(other.connection), 'en')
    )
  const failing = rows.filter(({ state }) => state.rank === 0).length
  return {
    title: 'Providers',
    place: 'providers',
    pollSeconds: failing > 0 ? WATCHED_SECONDS : null,
    brief: [
      counted(rows.length, 'connection'),
      ...(failing > 0 ? [`${failing} of them ${failing === 1 ? 'fails' : 'fail'}`] : []),
    ].join(', '),
    connectHref: addressOf(addresses.catalogue, { orgId }),
    rows: rows.map(({ connection, state }) => ({
      name: nameOf(connection),
      provider: connection.plugin.name,
      href: addressOf(addresses.connection, { orgId, connectionId: connection.id }),
      state,
      account: connection.account ?? 'Account not known yet',
      checked: checkedText(connection, reader),
      uses: usesText(connection, nameOfApp),
    })),
  } satisfies PageView & Record<string, unknown>
}

/** Names the apps that use a connection. */
function usesText({ uses }: Pick<ConnectionEntity, 'uses'>, nameOfApp: NameOfApp) {
  const names = [...new Set(uses.map(({ appId }) => nameOfApp(appId)))]
  if (names.length === 0) return 'No app uses it'
  const more = names.length - MAX_NAMED
  return `Used by ${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
