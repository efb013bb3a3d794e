/*
 * A chat that can be read back. Instants are milliseconds since the epoch.
 */

interface ChatPost {
  id: string
  channelId: string
  text: string
  threadOf: string | null
  at: number
  /** Idempotency key of the sender; null for messages of a scenario. */
  key: string | null
}

export interface SimulatedChat {
  channels: readonly { id: string; name: string }[]
  posts: readonly ChatPost[]
  users: readonly { id: string; email: string }[]
}

export const USUAL_CHAT: SimulatedChat = {
  channels: [
    { id: 'C1', name: 'releases' },
    { id: 'C2', name: 'incidents' },
  ],
  posts: [],
  users: [
    { id: 'U1', email: 'ada@example.com' },
    { id: 'U2', email: 'grace@example.com' },
    { id: 'U3', email: 'linus@example.com' },
  ],
}

/** Posts a message to a channel; idempotent by its key. */
export function post(
  chat: SimulatedChat,
  now: number,
  message: Pick<ChatPost, 'channelId' | 'text' | 'threadOf' | 'key'>
): { chat: SimulatedChat; post: ChatPost } {
  const known = message.key === null ? undefined : chat.posts.find(({ key }) => key === message.key)
  if (known) return { chat, post: known }
  const last = Number(/^M(\d+)$/.exec(chat.posts.at(-1)?.id ?? '')?.[1] ?? chat.posts.length)
  const created = { id: `M${last + 1}`, at: now, ...message }
  return { chat: { ...chat, posts: [...chat.posts, created] }, post: created }
}

/** Replaces the text of a message. */
export function reword(chat: SimulatedChat, id: string, text: string): SimulatedChat {
  return { ...chat, posts: chat.posts.map((each) => (each.id === id ? { ...each, text } : each)) }
}

/** Returns the channel of a name, and creates it if there is none. */
export function ensureChannel(chat: SimulatedChat, name: string) {
  const known = chat.channels.find((each) => each.name === name)
  if (known) return { chat, channel: known }
  const channel = { id: `C${chat.channels.length + 1}`, name }
  return { chat: { ...chat, channels: [...chat.channels, channel] }, channel }
}
