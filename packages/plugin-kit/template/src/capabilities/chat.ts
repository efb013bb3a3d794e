import type { Chat, ChatMessage, Mutation, PluginContext, Ref } from '#plugin-kit/index'
import { channelsIn, messageFor, messageIn } from '../mapping.js'

const PAGE = 50

/** Messages to channels. */
export default class AcmeChat implements Chat {
  constructor(private readonly ctx: PluginContext) {}

  async listChannels(query: string, cursor?: string) {
    const { body } = await this.ctx.http.send({
      method: 'GET',
      path: '/v1/channels',
      query: { query: query || undefined, cursor, limit: PAGE },
    })
    return channelsIn(body)
  }

  async post(channelId: string, message: ChatMessage, m: Mutation & { threadOf?: string }) {
    const { body } = await this.ctx.http.send({
      method: 'POST',
      path: '/v1/channels/{channel}/messages',
      params: { channel: channelId },
      json: { ...messageFor(message), thread: m.threadOf ?? null },
      // The provider honours the key, so the port may retry a request without an answer.
      headers: { 'idempotency-key': m.idempotencyKey },
      idempotent: true,
    })
    return messageIn(body)
  }

  async update(channelId: string, ref: Ref, message: ChatMessage, m: Mutation) {
    const { body } = await this.ctx.http.send({
      method: 'PATCH',
      path: '/v1/channels/{channel}/messages/{message}',
      params: { channel: channelId, message: ref.id },
      json: messageFor(message),
      headers: { 'idempotency-key': m.idempotencyKey },
      idempotent: true,
    })
    return messageIn(body)
  }
}
