import { RETRIES } from '#foundation/jobs/retry'
import { recordAppEvent } from '#apps/record_app_event'
import { onCommand, type Outcome, type CommandContext } from '#foundation/jobs/handlers'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { askProvider } from '#integrations/ask_provider'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import type { Chat, ChatMessage } from '#plugin-kit/capabilities/work'
import { compose } from '../compose.js'
import { edited } from '../edit_message.js'
import { notifying } from '../kinds.js'
import { isLiving } from '../living/living_messages.js'
import { inAnswers, unnotifiedAnswers } from '../living/answers.js'
import { answerLiving, livingContent, standLiving } from '../living/notify_living.js'
import { messageById, storeMessages, typeOfLine, type Message } from '../messages.js'
import { chatOf } from '../queries/chat_of.js'
import { messageFacts } from '../queries/message_facts.js'
import { changeNotifications, notificationsOf } from '../settings.js'
import type { Line } from '../tables.js'
import { CALLS_THE_PILOT } from '../vocabulary.js'
import { onCallFor } from './on_call.js'

/** The result of posting to a chat; null if there was nothing to post. */
type Notified = {
  revision: number
  integrationId: string
  messageId: string
  /** The answers that its history has now, of a living message. */
  answers?: readonly string[]
} | null

/**
 * Posts a message, or edits the existing one. A chat that fails stops nothing else: the timeline of
 * the app records it once, until it works again.
 */
export const notifyChat = onCommand(notifying, {
  actor: 'notifications',
  lease: MINUTE,
  retry: RETRIES.hour,
  // Nobody can ask a chat what it has by a key: at worst a message stands there twice.
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async call({ subject, idempotencyKey, payload: { appId } }, context): Promise<Outcome<Notified>> {
    const { scope } = context
    const message = await messageById(scope, subject)
    const integration = await chatOf(scope, appId)
    // It was sent already, or is not wanted any more.
    if (!message || !integration || message.notified >= message.revision) {
      return { outcome: 'applied', answer: null }
    }
    if (isLiving(message)) return notifyLiving(message, integration, context)
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
  async answer(scope, { subject }, notified: Notified) {
    const message = await messageById(scope, subject)
    if (!message || !notified) return
    const { now } = scope
    const { revision, integrationId, messageId } = notified
    const lines = message.lines.map((line) =>
      line.answer !== undefined && notified.answers?.includes(line.answer)
        ? { ...line, notified: true as const }
        : line
    )
    const isOn = message.messageId === messageId
    const postedAt = isOn ? message.postedAt : now
    await storeMessages(scope, [
      {
        ...message,
        lines,
        notified: revision,
        integrationId,
        messageId,
        postedAt,
        notifiedAt: now,
      },
    ])
    await endTrouble(scope, message)
  },
  async afterLast(scope, { subject }, reason) {
    const message = await messageById(scope, subject)
    if (message) await notifyOfTrouble(scope, message, reason)
  },
})

/** Brings the living message of a release up to date, with what its history lacks. */
async function notifyLiving(
  before: Message,
  { id: integrationId, connectionId }: { id: string; connectionId: string },
  { scope, signal, write }: CommandContext
): Promise<Outcome<Notified>> {
  const message = await answered(before, write)
  const { appId, revision } = message
  const known = message.integrationId === integrationId ? message.messageId : null
  const lines = await withOnCall(
    message.lines.filter((line) => !line.notified),
    () => onCallFor(scope, appId, signal)
  )
  const content = await livingContent(scope, message, connectionId, unnotifiedAnswers(lines))
  const calledIn = (notified: readonly Line[]) =>
    notified.some((line) => CALLS_THE_PILOT.has(typeOfLine(line) ?? message.type))
      ? calledBy(notified, content.pilot)
      : []
  const asked = { integration: { id: integrationId, connectionId }, kind: 'chat', signal } as const
  return outcomeOfCall(async () => {
    const messageId = await askProvider(scope, asked, async (chat) => {
      const standing = { ...message, integrationId, messageId: known }
      const stands = await standLiving(chat, standing, content.message)
      // A failure to add to its history does not make another message of it.
      if (stands !== known) await write((at) => stood(at, message, { integrationId, stands }))
      for (const answer of content.answers) {
        const called = await usersOf(chat, calledIn(answer.lines))
        await answerLiving(chat, { ...message, messageId: stands }, answer, called)
      }
      return stands
    })
    return { revision, integrationId, messageId, answers: content.answers.map(({ key }) => key) }
  })
}

/** Stores where a living message stands now. */
async function stood(
  scope: Scope,
  { id, appId }: Message,
  { integrationId, stands }: { integrationId: string; stands: string }
): Promise<void> {
  await scope.lock('apps', appId)
  const message = await messageById(scope, id)
  if (!message) return
  const posted = { integrationId, messageId: stands, postedAt: scope.now }
  await storeMessages(scope, [{ ...message, ...posted }])
}

/** A living message with what its history lacks in answers, which are stored before they are sent. */
async function answered(message: Message, write: CommandContext['write']): Promise<Message> {
  const { id, appId, lines } = message
  if (lines.every(({ notified, answer }) => notified || answer !== undefined)) return message
  return write(async (scope) => {
    await scope.lock('apps', appId)
    const present = await messageById(scope, id)
    if (!present) return message
    const next = { ...present, lines: inAnswers(present.lines) }
    await storeMessages(scope, [next])
    return next
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
    if (await edited(chat, { channel, messageId }, message, idempotencyKey)) return messageId
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
function calledBy(lines: readonly Line[], pilot: string | null): string[] {
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

async function notifyOfTrouble(scope: Scope, { appId, channel }: Message, reason: string) {
  const { troubles } = await notificationsOf(scope, appId)
  if (troubles.some((each) => each.channel === channel)) return
  await changeNotifications(scope, appId, {
    troubles: [...troubles, { channel, since: scope.now, reason }],
  })
  recordAppEvent(scope, appId, {
    type: 'app.notificationFailed',
    title: `The chat channel ${channel} could not be reached: ${reason}`,
    data: { channel, reason },
  })
}

async function endTrouble(scope: Scope, { appId, channel }: Message): Promise<void> {
  const { troubles } = await notificationsOf(scope, appId)
  const others = troubles.filter((each) => each.channel !== channel)
  if (others.length < troubles.length) await changeNotifications(scope, appId, { troubles: others })
}
