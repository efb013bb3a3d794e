import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import type { CapabilityMap } from '#plugin-kit/capabilities/map'
import type { Page } from '#plugin-kit/context'
import type { Kind } from '#plugin-kit/kinds'
import { isProviderError, type ProviderErrorCode } from '#plugin-kit/provider_error'
import { providerProblem } from '../ask_provider.js'
import type Connection from '../models/connection.js'
import type { PluginCaller } from '../plugins/plugin_caller.js'
import { pluginOfConnection } from '../queries/find_connection.js'
import { openConnection } from './open_connection.js'

/** An entry that a configuration file may name. */
export interface ProviderEntry {
  id: string
  label: string
}

type List<Each extends Kind> = (
  capability: CapabilityMap[Each],
  query: string,
  cursor?: string
) => Promise<Page<ProviderEntry>>

interface Findable {
  kind: Kind
  list: List<Kind>
}

const findable = <Each extends Kind>(kind: Each, list: List<Each>): Findable => ({
  kind,
  list: list as List<Kind>,
})

const pageOf = <Item>({ items, ...rest }: Page<Item>, toEntry: (item: Item) => ProviderEntry) => ({
  ...rest,
  items: items.map(toEntry),
})

const named = ({ id, name }: { id: string; name: string }): ProviderEntry => ({ id, label: name })

/** The lists that a provider can be searched for, by the word on the command line. */
export const FINDABLE = {
  workflows: findable('ci', async (ci, query, cursor) =>
    pageOf(await ci.listWorkflows(query, cursor), named)
  ),
  channels: findable('chat', async (chat, query, cursor) =>
    pageOf(await chat.listChannels(query, cursor), named)
  ),
  groups: findable('betaTesting', async (beta, _, cursor) =>
    pageOf(await beta.listGroups(cursor), named)
  ),
  schedules: findable('onCall', async (onCall, query, cursor) =>
    pageOf(await onCall.listSchedules(query, cursor), named)
  ),
  events: findable('productAnalytics', async (analytics, query, cursor) =>
    pageOf(await analytics.listEvents(query, cursor), ({ name, params }) => ({
      id: name,
      label: params.join(', '),
    }))
  ),
  statuses: findable('issueTracking', async (tracker, project) => ({
    items: (await tracker.listStatuses(project)).map(({ name, done }) => ({
      id: name,
      label: done ? 'done' : 'open',
    })),
  })),
} satisfies Record<string, Findable>

export type FindableWord = keyof typeof FINDABLE

/** Errors after which the pages read so far are still returned. */
const INTERRUPTIONS: readonly ProviderErrorCode[] = ['timeout', 'rateLimited', 'quotaExhausted']

/** Maximum number of results; a query narrows a longer list. */
const MAX_FOUND = 200

interface Dependencies {
  secrets: SecretBox
  caller: PluginCaller
}

interface Search {
  what: FindableWord
  query: string
  /** Data of the integration, if the provider needs it for the search; else empty. */
  data: Record<string, unknown>
  signal: AbortSignal
}

/**
 * Searches a list of the provider for a part of the name. If the provider stops responding, the
 * results so far are returned.
 * @param scope of a read, so that no transaction is open during the calls
 * @throws plugin_missing, provider_error, credentials_missing, credentials_unreadable
 */
export async function findAtProvider(
  { secrets, caller }: Dependencies,
  scope: Scope,
  connection: Pick<Connection, 'id' | 'pluginId' | 'settings'>,
  { what, query, data, signal }: Search
): Promise<{ found: ProviderEntry[]; hasMore: boolean }> {
  const { kind, list } = FINDABLE[what] as Findable
  const opened = await openConnection(scope, secrets, connection)
  const use = { data, signal, isForPerson: true }
  const capability = await caller.capability(pluginOfConnection(connection), kind, opened, use)
  const found: ProviderEntry[] = []
  let cursor: string | undefined
  try {
    do {
      const { items, next } = await list(capability, query, cursor)
      found.push(...items)
      cursor = next
    } while (cursor !== undefined && found.length < MAX_FOUND)
  } catch (error) {
    if (!isProviderError(error)) throw error
    if (found.length === 0 || !INTERRUPTIONS.includes(error.code))
      throw providerProblem(connection.id, error)
  }
  const hasMore = cursor !== undefined || found.length > MAX_FOUND
  return { found: found.slice(0, MAX_FOUND), hasMore }
}
