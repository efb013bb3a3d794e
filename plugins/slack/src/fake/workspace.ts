import type { ChatScenario } from '@tarmac/plugin-kit/testing'

/** A channel; `members` holds the bots in it. */
export interface Channel {
  id: string
  name: string
  isArchived: boolean
  isPrivate: boolean
  members: string[]
}

export interface Message {
  ts: string
  channelId: string
  text: string
  blocks: unknown[]
  threadOf?: string
  metadata?: { event_type: string; event_payload: Record<string, unknown> }
  user: string
}

/** A person of the workspace, with what decides whether their presses count. */
export interface Person {
  id: string
  email: string
  isConfirmed: boolean
  kind: 'member' | 'guest' | 'bot' | 'stranger'
}

/** A refusal with Slack's error code. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly more: Record<string, unknown> = {}
  ) {
    super(code)
  }
}

export const TEAM = 'T0ACME'

/** Unescapes a text with markup, as a person reads it. */
const unescaped = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** The content of a workspace. */
export class Workspace {
  channels: Channel[] = []
  messages: Message[] = []
  people: Person[] = []
  #last = 0

  constructor(private readonly now: () => number) {}

  seed({ channels, posts, users }: ChatScenario): void {
    this.channels = channels.map((each) => ({
      ...each,
      ...{ isArchived: false, isPrivate: false, members: [] },
    }))
    this.messages = posts.map(({ id, ...post }) => ({
      ...post,
      ts: id,
      blocks: [],
      user: 'U0SEED',
    }))
    this.people = users.map((user) => ({ ...user, isConfirmed: true, kind: 'member' }))
  }

  state(): ChatScenario {
    return {
      channels: this.channels.map(({ id, name }) => ({ id, name })),
      posts: this.messages.map(({ ts: id, channelId, text, threadOf }) => ({
        ...{ id, channelId, text: unescaped(text) },
        ...(threadOf !== undefined && { threadOf }),
      })),
      users: this.people.map(({ id, email }) => ({ id, email })),
    }
  }

  /** Returns a channel that a bot can see. */
  visibleChannel(id: string, bot: string): Channel {
    const channel = this.channels.find((each) => each.id === id)
    if (!channel || (channel.isPrivate && !channel.members.includes(bot))) {
      throw new Refusal('channel_not_found')
    }
    return channel
  }

  /** Returns a channel that a bot may read and write. */
  joinedChannel(id: string, bot: string): Channel {
    const channel = this.visibleChannel(id, bot)
    if (!channel.members.includes(bot)) throw new Refusal('not_in_channel')
    return channel
  }

  writableChannel(id: string, bot: string): Channel {
    const channel = this.joinedChannel(id, bot)
    if (channel.isArchived) throw new Refusal('is_archived')
    return channel
  }

  /** Returns a unique message timestamp: seconds with six decimals. */
  nextTimestamp(): string {
    this.#last = Math.max(this.now() * 1000, this.#last + 1)
    return `${Math.floor(this.#last / 1e6)}.${String(this.#last % 1e6).padStart(6, '0')}`
  }

  /** Deletes a message, as a person does; replies in its thread stay. */
  remove(ts: string): void {
    this.messages = this.messages.filter((each) => each.ts !== ts)
  }
}
