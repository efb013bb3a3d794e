import { Problem } from '#foundation/core/problems/problem'
import type { ProviderPluginDetails } from '#integrations/connection_entities'
import type { ObjectSchema } from '#plugin-kit/schema'
import { addresses, addressOf } from '../addresses.js'
import type { PageCall, PageView } from '../frame/page.js'
import type { ChannelsAnswers } from './answers.js'
import { nameOf } from './state.js'

/** Returns the plugin's words about where to find ids of channels; null if it has none. */
function channelHint({ capabilities }: Pick<ProviderPluginDetails, 'capabilities'>) {
  const chat = capabilities.find(({ kind }) => kind === 'chat')
  const { properties = {} } = (chat?.dataSchema ?? {}) as Partial<ObjectSchema>
  const { title, description } = properties.primaryChannelIds ?? {}
  return description ?? title ?? null
}

/** Returns the view of the channels of a chat. */
export function channelsView(
  { connection, plugin, found }: ChannelsAnswers,
  { params, query }: Pick<PageCall, 'params' | 'query'>
) {
  const isFound = !(found instanceof Problem)
  return {
    title: `Channels of ${nameOf(connection)}`,
    place: 'providers',
    pollSeconds: null,
    // The channels at the provider may change at any time, so the page is not cached.
    isSecret: true,
    back: { href: addressOf(addresses.connection, params), name: nameOf(connection) },
    action: addressOf(addresses.channels, params),
    search: query.search ?? '',
    about: 'Files of apps name channels by these ids.',
    hint: plugin && channelHint(plugin),
    failure: isFound ? null : `The list could not be read. ${found.message}`,
    channels: isFound ? found.channels : [],
    empty: query.search ? 'No channel has that in its name.' : 'It shows no channel.',
    hasMore: isFound && found.hasMore,
  } satisfies PageView & Record<string, unknown>
}
