import { args, flags } from '@adonisjs/core/ace'
import { closest } from 'fastest-levenshtein'
import { UsageError } from '#foundation/console/usage_error'
import type { CapabilityMap } from '#plugin-kit/capabilities/map'
import type { Page } from '#plugin-kit/context'
import type { Kind } from '#plugin-kit/kinds'
import { isProviderError } from '#plugin-kit/provider_error'
import { NOTHING } from '#plugin-kit/schema'
import { providerProblem } from '../ask_provider.js'
import { openConnection } from '../connections/open_connection.js'
import { findConnection, pluginOfConnection } from '../queries/find_connection.js'
import { pairsOption } from './options.js'
import { ProviderCommand } from './provider_command.js'

/** An entry that a configuration file may name. */
interface Found {
  id: string
  label: string
}

type List<Each extends Kind> = (
  capability: CapabilityMap[Each],
  query: string,
  cursor?: string
) => Promise<Page<Found>>

interface Findable {
  kind: Kind
  list: List<Kind>
}

const findable = <Each extends Kind>(kind: Each, list: List<Each>): Findable => ({
  kind,
  list: list as List<Kind>,
})

const pageOf = <Item>({ items, ...rest }: Page<Item>, found: (item: Item) => Found) => ({
  ...rest,
  items: items.map(found),
})

const named = ({ id, name }: { id: string; name: string }): Found => ({ id, label: name })

/** The lists that a provider can be searched for, by the word on the command line. */
const FINDABLE = {
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

type What = keyof typeof FINDABLE
const WHAT = Object.keys(FINDABLE) as What[]

const TIMEOUT_MS = 30_000
/** Most that is shown; a longer list is narrowed by a query. */
const MOST = 200

export class ProviderFind extends ProviderCommand {
  static override commandName = 'provider:find'
  static override description =
    'Find what a configuration file names, such as channels, at a provider'
  static override help =
    '`--data` is of the integration, where the provider needs it: `--data x-repository=acme/app` for workflows of GitHub.'

  @args.string({ description: 'Id or alias of the connection' })
  declare connection: string

  @args.string({ description: WHAT.join(', ') })
  declare what: string

  @args.string({
    description: 'Part of the name; of statuses the project',
    required: false,
  })
  declare query: string | undefined

  @flags.array({
    flagName: 'data',
    description: 'Of the integration, as key=value, where the provider needs it to look',
  })
  declare data: string[] | undefined

  protected async work() {
    const { kind, list } = findableOf(this.what)
    const of = await this.ofOrganization()
    const scope = this.readScope(of)
    const connection = await findConnection(scope, this.connection)
    const plugin = pluginOfConnection(connection)
    const { dataSchema } = plugin.manifest.capabilities[kind] ?? {}
    const data = pairsOption('data', this.data ?? [], dataSchema ?? NOTHING)
    const opened = await openConnection(scope, await this.secrets(), connection)
    const caller = await this.caller()
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const use = { data, signal, isPersons: true }
    const capability = await caller.capability(plugin, kind, opened, use)
    const { found, hasMore } = await this.#found(connection.id, (cursor) =>
      list(capability, this.query ?? '', cursor)
    )
    return { document: { what: this.what, found, hasMore }, text: textOf(found, hasMore) }
  }

  async #found(connectionId: string, read: (cursor?: string) => Promise<Page<Found>>) {
    const found: Found[] = []
    let cursor: string | undefined
    try {
      do {
        const { items, next } = await read(cursor)
        found.push(...items)
        cursor = next
      } while (cursor !== undefined && found.length < MOST)
    } catch (error) {
      throw isProviderError(error) ? providerProblem(connectionId, error) : error
    }
    return { found: found.slice(0, MOST), hasMore: cursor !== undefined || found.length > MOST }
  }
}

/** @throws UsageError that names the words there are */
function findableOf(what: string): Findable {
  if (Object.hasOwn(FINDABLE, what)) return FINDABLE[what as What]
  throw new UsageError(
    `"${what}" cannot be found; ${WHAT.join(', ')} can. Did you mean ${closest(what, WHAT)}?`
  )
}

function textOf(found: readonly Found[], hasMore: boolean): string {
  if (found.length === 0) return 'There is none.'
  const lines = found.map(({ id, label }) => (label === '' ? id : `${id}  ${label}`))
  return [...lines, ...(hasMore ? ['There are more; give a part of the name.'] : [])].join('\n')
}
