import { RETRIES } from '#foundation/agenda/retry'
import { recordAppEvent } from '#apps/record_app_event'
import { onWish, type Outcome, type WishContext } from '#foundation/agenda/handlers'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { askProvider, isProviderError } from '#integrations/ask_provider'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import type { Chat, ChatMessage } from '#plugin-kit/capabilities/work'
import { compose } from '../compose.js'
import { telling } from '../kinds.js'
import { isLiving } from '../living/living_messages.js'
import { livingContent, standLiving } from '../living/tell_living.js'
import { messageById, storeMessages, typeOfLine, type Message } from '../messages.js'
import { chatOf } from '../queries/chat_of.js'
import { messageFacts } from '../queries/message_facts.js'
import { changeNotifications, notificationsOf } from '../settings.js'
import type { Line } from '../tables.js'
import { CALLS_THE_PILOT } from '../vocabulary.js'
import { onCallFor } from './on_call.js'

/** The result of posting to a chat; null if there was nothing to post. */
type Told = {
  revision: number
  integrationId: string
  messageId: string
  /** Those that its history has now, of a living message. */
  told?: Message['lines']
} | null

/**
 * Posts a message, or edits the one there is. A chat that cannot be told keeps nothing from
 * happening: the timeline of the app says so, once until it works again.
 */
export const tellChat = onWish(telling, {
  actor: 'notifications',
  lease: MINUTE,
  retry: RETRIES.hour,
  // Nobody can ask a chat what it has by a key: at worst a message stands there twice.
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async call({ subject, idempotencyKey, payload: { appId } }, context): Promise<Outcome<Told>> {
    const { scope } = context
    const message = await messageById(scope, subject)
    const integration = await chatOf(scope, appId)
    // It was told already, or is not wanted any more.
    if (!message || !integration || message.told >= message.revision) {
      return { outcome: 'applied', answer: null }
    }
    if (isLiving(message)) return tellLiving(message, integration, context)
    const lines = await withOnCall(message.lines, () => onCallFor(scope, appId, context.signal))
    const { pilot, ...facts } = await messageFacts(scope, { ...message, lines })
    const composed = compose(facts)
    const { id: integrationId, connectionId } = integration
    const asked = { integration: { id: integrationId, connectionId }, kind: 'chat' } as const
    return outcomeOfCall(async () => {
      const messageId = await askProvider(scope, { ...asked, signal: context.signal }, (chat) =>
        say(chat, { ...message, lines }, composed, { pilot, idempotencyKey })
      )
      return { revision: message.revision, integrationId, messageId }
    })
  },
  async answer(scope, { subject }, told: Told) {
    const message = await messageById(scope, subject)
    if (!message || !told) return
    const { now } = scope
    const { revision, integrationId, messageId } = told
    const lines = message.lines.map((line) =>
      told.told?.some((each) => isSame(each, line)) ? { ...line, told: true as const } : line
    )
    const isOn = message.messageId === messageId
    const postedAt = isOn ? message.postedAt : now
    await storeMessages(scope, [
      { ...message, lines, told: revision, integrationId, messageId, postedAt, toldAt: now },
    ])
    await endTrouble(scope, message)
  },
  async afterLast(scope, { subject }, reason) {
    const message = await messageById(scope, subject)
    if (message) await tellOfTrouble(scope, message, reason)
  },
})

const isSame = (one: Line, other: Line) => JSON.stringify(one) === JSON.stringify(other)

/** Brings the living message of a release up to date, with what its history lacks. */
async function tellLiving(
  message: Message,
  { id: integrationId, connectionId }: { id: string; connectionId: string },
  { scope, signal }: WishContext
): Promise<Outcome<Told>> {
  const { appId, revision } = message
  const known = message.integrationId === integrationId ? message.messageId : null
  const told = message.lines.filter((line) => !line.told)
  const lines = await withOnCall(told, () => onCallFor(scope, appId, signal))
  const content = await livingContent(scope, message, connectionId, lines)
  const calls = lines.some((line) => CALLS_THE_PILOT.has(typeOfLine(line) ?? message.type))
  const people = calls ? calledBy(lines, content.pilot) : []
  const asked = { integration: { id: integrationId, connectionId }, kind: 'chat', signal } as const
  return outcomeOfCall(async () => {
    const messageId = await askProvider(scope, asked, async (chat) =>
      standLiving(chat, { ...message, messageId: known }, content, await usersOf(chat, people))
    )
    return { revision, integrationId, messageId, told }
  })
}

/** Returns the subject of a message, with the person on call in place of the named people. */
async function withOnCall(
  lines: Message['lines'],
  onCall: () => Promise<string[] | null>
): Promise<Message['lines']> {
  if (!lines.some(({ call }) => call)) return lines
  const people = await onCall()
  return people ? lines.map((line) => (line.call ? { ...line, call: people } : line)) : lines
}

type Options = { pilot: string | null; idempotencyKey: string }

/** @returns the id of the message that stands for the thing from now on */
async function say(
  chat: Chat,
  { channel, messageId, type, lines }: Message,
  message: ChatMessage,
  { pilot, idempotencyKey }: Options
): Promise<string> {
  if (messageId !== null && chat.update) {
    try {
      await chat.update(channel, { id: messageId }, message, { idempotencyKey })
      return messageId
    } catch (error) {
      // Somebody deleted it.
      if (!isProviderError(error) || error.code !== 'notFound') throw error
    }
  } else if (messageId !== null) {
    // A message that cannot be edited is continued below it.
    await chat.post(channel, message, { idempotencyKey, threadOf: messageId })
    return messageId
  }
  const called = await usersOf(chat, CALLS_THE_PILOT.has(type) ? calledBy(lines, pilot) : [])
  const mentions = called.length === 0 ? {} : { mentions: called }
  return (await chat.post(channel, { ...message, ...mentions }, { idempotencyKey })).id
}

/** E-mail addresses of whoever a message calls: those that it names, else the pilot. */
function calledBy(lines: Message['lines'], pilot: string | null): string[] {
  const named = new Set(lines.flatMap(({ call }) => call ?? []))
  return named.size > 0 ? [...named] : pilot === null ? [] : [pilot]
}

async function usersOf(chat: Chat, emails: readonly string[]): Promise<string[]> {
  const users: string[] = []
  for (const email of emails) {
    const user = await chat.findUserByEmail?.(email)
    if (user) users.push(user.id)
  }
  return users
}

async function tellOfTrouble(scope: Scope, { appId, channel }: Message, reason: string) {
  const { troubles } = await notificationsOf(scope, appId)
  if (troubles.some((each) => each.channel === channel)) return
  await changeNotifications(scope, appId, {
    troubles: [...troubles, { channel, since: scope.now, reason }],
  })
  recordAppEvent(scope, appId, {
    type: 'app.notificationFailed',
    title: `The chat channel ${channel} could not be told: ${reason}`,
    data: { channel, reason },
  })
}

async function endTrouble(scope: Scope, { appId, channel }: Message): Promise<void> {
  const { troubles } = await notificationsOf(scope, appId)
  const others = troubles.filter((each) => each.channel !== channel)
  if (others.length < troubles.length) await changeNotifications(scope, appId, { troubles: others })
}
