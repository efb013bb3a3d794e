import { checkBlocks } from './check_blocks.js'
import {
  Refusal,
  TEAM,
  type Channel,
  type Message,
  type Person,
  type Workspace,
} from './workspace.js'

/** A call of a method by a bot. */
export interface MethodCall {
  args: Record<string, string>
  bot: string
  workspace: Workspace
}

interface Method {
  /** The scopes that a call needs. */
  scopes(asked: MethodCall): readonly string[]
  answer(asked: MethodCall): Record<string, unknown>
}

/** The methods that the plugin calls. */
export const METHODS: Readonly<Record<string, Method>> = {
  'auth.test': {
    scopes: () => [],
    answer: ({ bot }) => ({
      ...{ url: 'https://acme.slack.com/', team: 'Acme', user: bot, team_id: TEAM },
      ...{ user_id: `U0${bot.toUpperCase()}`, bot_id: `B0${bot.toUpperCase()}` },
      is_enterprise_install: false,
    }),
  },
  'chat.delete': { scopes: () => ['chat:write'], answer: remove },
  'chat.postMessage': { scopes: () => ['chat:write'], answer: post },
  'chat.update': { scopes: () => ['chat:write'], answer: update },
  'conversations.create': {
    scopes: () => ['channels:manage'],
    answer({ args: { name }, bot, workspace }) {
      if (!/^[a-z0-9_-]{1,80}$/.test(name ?? '')) throw new Refusal('invalid_name_specials')
      if (workspace.channels.some((each) => each.name === name)) throw new Refusal('name_taken')
      const id = `C0MADE${workspace.channels.length + 1}`
      const made = { id, name, isArchived: false, isPrivate: false, members: [bot] }
      workspace.channels.push(made)
      return { channel: shown(made) }
    },
  },
  'conversations.history': {
    scopes: scopeOf('channels:history', 'groups:history'),
    answer: (asked) => messagesOf(asked, ({ threadOf }) => threadOf === undefined, true),
  },
  'conversations.invite': {
    scopes: scopeOf('channels:manage', 'groups:write'),
    answer({ args, bot, workspace }) {
      const channel = workspace.joinedChannel(args.channel, bot)
      const wanted = args.users.split(',')
      const known = wanted.filter((id) => workspace.people.some((each) => each.id === id))
      if (known.length === 0) throw new Refusal('user_not_found')
      const added = known.filter((id) => !channel.members.includes(id))
      if (added.length === 0) throw new Refusal('already_in_channel')
      channel.members.push(...added)
      return { channel: shown(channel) }
    },
  },
  'conversations.join': {
    scopes: () => ['channels:join'],
    answer({ args, bot, workspace }) {
      const channel = workspace.visibleChannel(args.channel, bot)
      if (channel.isArchived) throw new Refusal('is_archived')
      if (channel.isPrivate) throw new Refusal('method_not_supported_for_channel_type')
      if (!channel.members.includes(bot)) channel.members.push(bot)
      return { channel: shown(channel) }
    },
  },
  'conversations.list': {
    scopes: ({ args: { types = 'public_channel' } }) => [
      ...(types.includes('public_channel') ? ['channels:read'] : []),
      ...(types.includes('private_channel') ? ['groups:read'] : []),
    ],
    answer({ args, bot, workspace }) {
      const all = workspace.channels.filter(
        ({ isArchived, isPrivate, members }) =>
          !(isArchived && args.exclude_archived === 'true') && (!isPrivate || members.includes(bot))
      )
      const { items, next } = pageOf(all, args)
      return { channels: items.map(shown), response_metadata: { next_cursor: next } }
    },
  },
  'conversations.replies': {
    scopes: scopeOf('channels:history', 'groups:history'),
    answer(asked) {
      const { ts } = asked.args
      if (!hasThread(asked, ts)) throw new Refusal('thread_not_found')
      return messagesOf(asked, (each) => each.ts === ts || each.threadOf === ts, false)
    },
  },
  'users.info': {
    scopes: () => ['users:read'],
    answer: ({ args: { user }, workspace }) => ({
      user: profileOf(workspace.people.find(({ id }) => id === user) ?? missing('user_not_found')),
    }),
  },
  'users.lookupByEmail': {
    scopes: () => ['users:read.email'],
    answer: ({ args: { email }, workspace }) => ({
      user: profileOf(
        workspace.people.find((each) => each.email === email) ?? missing('users_not_found')
      ),
    }),
  },
}

/** Private channels have scopes of their own. */
function scopeOf(ofPublic: string, ofPrivate: string): Method['scopes'] {
  return ({ args: { channel }, workspace }) => {
    const found = workspace.channels.find(({ id }) => id === channel)
    return [found?.isPrivate ? ofPrivate : ofPublic]
  }
}

/** Returns whether a channel has a message, or replies to one that was deleted. */
const hasThread = ({ args: { channel }, workspace }: MethodCall, root: string) =>
  workspace.messages.some(
    ({ channelId, ts, threadOf }) => channelId === channel && [ts, threadOf].includes(root)
  )

function missing(code: string): never {
  throw new Refusal(code)
}

/** A reply to a message that was deleted without replies is posted in the channel, as in Slack. */
function post(asked: MethodCall) {
  const { args, bot, workspace } = asked
  const { id: channelId } = workspace.writableChannel(args.channel, bot)
  const { thread_ts: root, metadata } = args
  const threadOf = root !== undefined && hasThread(asked, root) ? root : undefined
  const message: Message = {
    ...contentIn(args),
    ...{ ts: workspace.nextTimestamp(), channelId, user: bot },
    ...(threadOf !== undefined && { threadOf }),
    ...(metadata !== undefined && { metadata: JSON.parse(metadata) as Message['metadata'] }),
  }
  workspace.messages.push(message)
  return { channel: channelId, ts: message.ts, message: written(message) }
}

function update(asked: MethodCall) {
  const message = ownOf(asked, 'cant_update_message')
  Object.assign(message, contentIn(asked.args))
  const { channelId: channel, ts, text } = message
  return { channel, ts, text, message: written(message) }
}

function remove(asked: MethodCall) {
  const { channelId: channel, ts } = ownOf(asked, 'cant_delete_message')
  asked.workspace.remove(ts)
  return { channel, ts }
}

/** Returns a message that the bot posted. @throws Refusal, with the given code for one of others */
function ownOf({ args, bot, workspace }: MethodCall, ofOthers: string): Message {
  const { id: channel } = workspace.writableChannel(args.channel, bot)
  const message = workspace.messages.find(
    (each) => each.channelId === channel && each.ts === args.ts
  )
  if (!message) throw new Refusal('message_not_found')
  if (message.user !== bot) throw new Refusal(ofOthers)
  return message
}

function contentIn({ text = '', blocks = '[]' }: Record<string, string>) {
  const parsed = JSON.parse(blocks) as unknown[]
  if (text === '' && parsed.length === 0) throw new Refusal('no_text')
  if (text.length > 40_000) throw new Refusal('msg_too_long')
  const problems = checkBlocks(parsed)
  if (problems.length > 0) {
    throw new Refusal('invalid_blocks', { response_metadata: { messages: problems } })
  }
  return { text, blocks: parsed }
}

function messagesOf(
  { args, bot, workspace }: MethodCall,
  isIn: (message: Message) => boolean,
  isNewestFirst: boolean
) {
  const channel = workspace.joinedChannel(args.channel, bot)
  const all = workspace.messages
    .filter((each) => each.channelId === channel.id && isIn(each))
    .filter(({ ts }) => Number(ts) > Number(args.oldest ?? 0))
  const { items, next } = pageOf(isNewestFirst ? all.toReversed() : all, args)
  return {
    messages: items.map(written),
    ...{ has_more: next !== '', response_metadata: { next_cursor: next } },
  }
}

/** Encodes an index as a cursor in Slack's format. */
function pageOf<Item>(
  all: readonly Item[],
  { cursor = '', limit = '100' }: Record<string, string>
) {
  const from = cursor === '' ? 0 : Number(Buffer.from(cursor, 'base64').toString().split(':')[1])
  if (!Number.isInteger(from)) throw new Refusal('invalid_cursor')
  const until = from + Number(limit)
  const next = until < all.length ? Buffer.from(`next:${until}`).toString('base64') : ''
  return { items: all.slice(from, until), next }
}

const shown = ({ id, name, isArchived, isPrivate }: Channel) => ({
  ...{ id, name, is_channel: !isPrivate, is_archived: isArchived, is_private: isPrivate },
})

const written = ({ ts, text, user, threadOf, metadata }: Message) => ({
  ...{ type: 'message', ts, text, user, team: TEAM },
  ...(threadOf !== undefined && { thread_ts: threadOf }),
  ...(metadata && { metadata }),
})

const profileOf = ({ id, email, kind, isConfirmed }: Person) => ({
  ...{
    id,
    name: email.split('@')[0],
    team_id: kind === 'stranger' ? 'T0OTHER' : TEAM,
    deleted: false,
  },
  ...{ is_bot: kind === 'bot', is_restricted: kind === 'guest', is_ultra_restricted: false },
  ...(kind === 'stranger' && { is_stranger: true }),
  is_email_confirmed: isConfirmed,
  profile: { email },
})
