import type { Chat, ChatMessage, Mutation, Page, PluginContext, Ref } from '@tarmac/plugin-kit'
import { ProviderError, unless } from '@tarmac/plugin-kit'
import { contentOf } from '../blocks.js'
import { demanded, hasCode, Slack } from '../slack.js'
import { joined, within } from '../join.js'
import { MESSAGE_TYPE, postedWith } from '../posted.js'

/** Page size of channels; Slack recommends at most 200. */
const PAGE = 200
/** The most pages of channels in which a name is searched. */
const MAX_PAGES = 50

/** Codes of failed invitations, which do not affect those of other people. */
const NOT_INVITED = [
  'already_in_channel',
  'cant_invite',
  'cant_invite_self',
  'org_user_not_in_team',
  'ura_max_channels',
  'user_is_restricted',
  'user_is_ultra_restricted',
  'user_not_found',
  'user_team_not_in_channel',
]

/** Codes of failed edits: the message stays as it is. */
const NOT_EDITED = ['cant_update_message', 'edit_window_closed']

type Channel = { id: string; name: string; isPrivate: boolean }

/** Channels and messages of a workspace. */
export default class SlackChat implements Chat {
  readonly #slack: Slack

  constructor(private readonly ctx: PluginContext) {
    this.#slack = new Slack(ctx)
  }

  async listChannels(query: string, cursor?: string): Promise<Page<Omit<Channel, 'isPrivate'>>> {
    const { items, next } = await this.#channels(cursor, true)
    const found = items
      .filter(({ name }) => name.includes(query.replace(/^#/, '').toLowerCase()))
      .map(({ id, name }) => ({ id, name }))
    return { items: found, ...(next !== undefined && { next }) }
  }

  /**
   * Creates a channel. Names are unique: an existing one is joined. A private one is left as it is,
   * since the people in it decide who else is.
   */
  async ensureChannel(name: string, members: string[]): Promise<Ref> {
    const made = await unless(
      this.#slack.call((client) => client.conversations.create({ name })),
      (error) => hasCode(error, 'name_taken')
    )
    const { id, isPrivate } = made
      ? { id: demanded(made.channel?.id, 'the channel'), isPrivate: false }
      : await this.#channelOf(name)
    if (isPrivate) return { id }
    if (!made) await joined(this.#slack, id)
    if (members.length > 0) await this.#invite(id, members)
    return { id }
  }

  /**
   * Posts a message, or updates the one that the channel already has with that key. Slack has no
   * idempotency keys, but stores metadata with a message, where the key is kept.
   */
  async post(
    channel: string,
    message: ChatMessage,
    { idempotencyKey: key, threadOf }: Mutation & { threadOf?: string }
  ): Promise<Ref> {
    const place = { channel, threadOf, key }
    const known = await postedWith(this.#slack, place, this.ctx.now())
    if (known) {
      await unless(this.update(channel, known, message), (error) => hasCode(error, ...NOT_EDITED))
      return known
    }
    const { ts, message: posted } = await this.#slack.call((client) =>
      client.chat.postMessage({
        ...{ channel, ...contentOf(message) },
        ...(threadOf !== undefined && { thread_ts: threadOf }),
        metadata: { event_type: MESSAGE_TYPE, event_payload: { key } },
        ...{ parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false },
      })
    )
    const id = demanded(ts, 'the id of the message')
    if (threadOf !== undefined && posted?.thread_ts === undefined) await this.#takeBack(channel, id)
    return { id }
  }

  /**
   * Slack posts a reply in the channel if the message of the thread was deleted.
   * @throws ProviderError `notFound`
   */
  async #takeBack(channel: string, ts: string): Promise<never> {
    await this.#slack.call((client) => client.chat.delete({ channel, ts }))
    throw new ProviderError('notFound', 'The message of the thread was deleted', {
      outcome: 'notApplied',
      vendorCode: 'thread_not_found',
    })
  }

  async update(channel: string, { id }: Ref, message: ChatMessage): Promise<Ref> {
    await within(this.#slack, channel, () =>
      this.#slack.call((client) =>
        client.chat.update({
          ...{ channel, ts: id, ...contentOf(message) },
          ...{ parse: 'none', link_names: false },
        })
      )
    )
    return { id }
  }

  async findUserByEmail(email: string): Promise<Ref | null> {
    const found = await unless(
      this.#slack.call((client) => client.users.lookupByEmail({ email })),
      (error) => hasCode(error, 'users_not_found')
    )
    return found ? { id: demanded(found.user?.id, 'the person') } : null
  }

  async #channels(cursor: string | undefined, isOpen: boolean): Promise<Page<Channel>> {
    const { channels, response_metadata: metadata } = await this.#slack.call((client) =>
      client.conversations.list({
        ...{ types: 'public_channel,private_channel', limit: PAGE },
        ...{ exclude_archived: isOpen, ...(cursor !== undefined && { cursor }) },
      })
    )
    const items = demanded(channels, 'channels').map(({ id, name, is_private: isPrivate }) => ({
      id: demanded(id, 'the id of a channel'),
      name: demanded(name, 'the name of a channel'),
      isPrivate: isPrivate === true,
    }))
    const next = metadata?.next_cursor
    return { items, ...(next && { next }) }
  }

  /** @throws ProviderError `conflict` if the channel is private, so that the app does not see it */
  async #channelOf(name: string): Promise<Channel> {
    let cursor: string | undefined
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const { items, next } = await this.#channels(cursor, false)
      const found = items.find((each) => each.name === name)
      if (found) return found
      if (next === undefined) break
      cursor = next
    }
    throw new ProviderError(
      'conflict',
      `The channel ${name} is there, and the app does not see it`,
      {
        outcome: 'notApplied',
        reason: 'The channel is private and of others.',
        action: 'Somebody in it invites the app (/invite), or renames it.',
      }
    )
  }

  async #invite(channel: string, members: readonly string[]): Promise<void> {
    await unless(
      this.#slack.call((client) =>
        client.conversations.invite({ channel, users: members.join(','), force: true })
      ),
      (error) => hasCode(error, ...NOT_INVITED)
    )
  }
}
