import type { Chat, ChatMessage } from '#plugin-kit/capabilities/work'
import type { Mutation, PluginContext } from '#plugin-kit/context'

const CHANNELS = [
  { id: 'C1', name: 'releases' },
  { id: 'C2', name: 'general' },
]

/** Messages by channel and idempotency key, so that a repeated post is stored once. */
export const posted = new Map<string, ChatMessage>()

export default class MemoryChat implements Chat {
  constructor(private readonly ctx: PluginContext) {}

  async listChannels(query: string) {
    return { items: CHANNELS.filter(({ name }) => name.includes(query)) }
  }

  async post(channelId: string, message: ChatMessage, { idempotencyKey }: Mutation) {
    const mention = this.ctx.data['x-mention']
    const text = mention === undefined ? message.text : `${mention} ${message.text}`
    const id = `${channelId}:${idempotencyKey}`
    posted.set(id, { ...message, text })
    return { id }
  }

  async findUserByEmail(email: string) {
    return email.endsWith('@acme.example') ? { id: email } : null
  }
}
