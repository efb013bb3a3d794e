import type { Chat, ChatMessage } from '#plugin-kit/capabilities/work'
import type { Mutation, PluginContext, Ref } from '#plugin-kit/context'
import { changed } from '../shared/changed.js'
import { pageOf } from '../shared/world_pages.js'

/** The chat of a simulated world. */
export default class SimulatedChat implements Chat {
  constructor(private readonly ctx: PluginContext) {}

  listChannels(query: string, cursor?: string) {
    return pageOf<{ id: string; name: string }>(this.ctx, {
      path: '/v1/chat/channels',
      query: { query, cursor },
    })
  }

  ensureChannel(name: string, members: string[], mutation: Mutation): Promise<Ref> {
    return changed<Ref>(this.ctx, mutation, { path: '/v1/chat/channels', json: { name, members } })
  }

  async post(
    channel: string,
    { text }: ChatMessage,
    { threadOf, ...mutation }: Mutation & { threadOf?: string }
  ): Promise<Ref> {
    return changed<Ref>(this.ctx, mutation, {
      path: '/v1/chat/channels/{channel}/messages',
      params: { channel },
      json: { text, threadOf },
    })
  }

  update(channel: string, { id }: Ref, { text }: ChatMessage, mutation: Mutation): Promise<Ref> {
    return changed<Ref>(this.ctx, mutation, {
      path: '/v1/chat/channels/{channel}/messages/{id}',
      params: { channel, id },
      json: { text },
    })
  }

  async findUserByEmail(email: string): Promise<Ref | null> {
    const { status, body } = await this.ctx.http.send<Ref>({
      method: 'GET',
      path: '/v1/chat/users',
      query: { email },
      expect: [404],
    })
    return status === 404 ? null : body
  }
}
