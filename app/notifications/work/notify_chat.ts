import { RETRIES } from '#foundation/jobs/retry'
import { recordAppEvent } from '#apps/record_app_event'
import { onCommand, type Outcome, type CommandContext } from '#foundation/jobs/handlers'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { askProvider, isProviderError } from '#integrations/ask_provider'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import type { Chat, ChatMessage } from '#plugin-kit/capabilities/work'
import { compose } from '../compose.js'
import { editMessage } from '../edit_message.js'
import { notifyKind } from '../work_kinds.js'
import { isLiving } from '../living/living_messages.js'
import { inAnswers, unnotifiedAnswers } from '../living/answers.js'
import { answerLiving, livingContent, upsertLiving } from '../living/notify_living.js'
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
  /** For a living message: the keys of the answers that its history has now. */
  answers?: readonly string[]
} | null

/**
 * Posts a message, or edits the existing one. A chat that fails holds up nothing: the timeline of
 * the app records it once, until it works again.
 */
export const notifyChat = onCommand(notifyKind, {
  actor: 'notifications',
  lease: MINUTE,
  retry: RETRIES.hour,
  // A chat cannot be asked for a message by its key: at worst it has a message twice.
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async call({ subject, idempotencyKey, payload: { appId } }, context): Promise<Outcome<Notified>> {
    const { scope } = context
    const message = await messageById(scope, subject)
    const integration = await chatOf(scope, appId)
    // It has been sent already, or is no longer wanted.
    if (!message || !integration || message.notified >= message.revision) {
      return { outcome: 'applied', result: null }
    }
    if (isLiving(message)) return notifyLiving(message, integration, context)
    const lines = await withOnCall(message.lines, () => onCallFor(scope, appId, context.signal))
    const { pilot, ...facts } = await messageFacts(scope, { ...message, lines })
    const content = compose(facts)
    const { id: integrationId, connectionId } = integration
    const requested = { integration: { id: integrationId, connectionId }, kind: 'chat' } as const
    return outcomeOfCall(async () => {
      const messageId = await askProvider(scope, { ...requested, signal: context.signal }, (chat) =>
        send(chat, { ...message, lines }, content, { pilot, idempotencyKey })
      )
      return { revision: message.revision, integrationId, messageId }
    })
  },
  async storeResult(scope, { subject }, notified: Notified) {
    const message = await messageById(scope, subject)
    if (!message || !notified) return
    const { now } = scope
    const { revision, integrationId, messageId } = notified
    const lines = message.lines.map((line) =>
      line.answer !== undefined && notified.answers?.includes(line.answer)
        ? { ...line, notified: true as const }
        : line
    )
    const isEdit = message.messageId === messageId
    const postedAt = isEdit ? message.postedAt : now
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

/** Updates the living message of a release, and adds the answers that its history lacks. */
async function notifyLiving(
  before: Message,
  { id: integrationId, connectionId }: { id: string; connectionId: string },
  { scope, signal, write }: CommandContext
): Promise<Outcome<Notified>> {
  const message = await withAnswers(before, write)
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
  const requested = {
    integration: { id: integrationId, connectionId },
    kind: 'chat',
    signal,
  } as const
  return outcomeOfCall(async () => {
    const messageId = await askProvider(scope, requested, async (chat) => {
      const post = async (at: string | null): Promise<string> => {
        const place = { ...message, integrationId, messageId: at }
        const posted = await upsertLiving(chat, place, content.message)
        // Stored at once, so that a failed answer does not lead to another message.
        if (posted !== at) {
          await write((writing) => storePlace(writing, message, integrationId, posted))
        }
        return posted
      }
      let posted = await post(known)
      for (const result of content.answers) {
        const called = await usersOf(chat, calledIn(result.lines))
        const reply = () => answerLiving(chat, { ...message, messageId: posted }, result, called)
        try {
          await reply()
        } catch (error) {
          if (!isProviderError(error) || error.code !== 'notFound') throw error
          // Somebody has deleted the message since.
          posted = await post(posted)
          await reply()
        }
      }
      return posted
    })
    return { revision, integrationId, messageId, answers: content.answers.map(({ key }) => key) }
  })
}

/** Stores the id that a living message has in the chat. */
async function storePlace(
  scope: Scope,
  { id, appId }: Message,
  integrationId: string,
  messageId: string
): Promise<void> {
  await scope.lock('apps', appId)
  const message = await messageById(scope, id)
  if (!message) return
  const posted = { integrationId, messageId, postedAt: scope.now }
  await storeMessages(scope, [{ ...message, ...posted }])
}

/** Assigns the lines that the history lacks to answers, which are stored before they are sent. */
async function withAnswers(message: Message, write: CommandContext['write']): Promise<Message> {
  const { id, appId, lines } = message
  if (lines.every(({ notified, answer: result }) => notified || result !== undefined))
    return message
  return write(async (scope) => {
    await scope.lock('apps', appId)
    const present = await messageById(scope, id)
    if (!present) return message
    const next = { ...present, lines: inAnswers(present.lines) }
    await storeMessages(scope, [next])
    return next
  })
}

/** Returns lines that call the people on call, if there are any, in place of those they name. */
async function withOnCall(
  lines: Message['lines'],
  onCall: () => Promise<string[] | null>
): Promise<Message['lines']> {
  if (!lines.some(({ call }) => call)) return lines
  const people = await onCall()
  return people ? lines.map((line) => (line.call ? { ...line, call: people } : line)) : lines
}

type Options = { pilot: string | null; idempotencyKey: string }

/** @returns the id of the message in the chat */
async function send(
  chat: Chat,
  { channel, messageId, type, lines }: Message,
  message: ChatMessage,
  { pilot, idempotencyKey }: Options
): Promise<string> {
  if (messageId !== null && chat.update) {
    if (await editMessage(chat, { channel, messageId }, message, idempotencyKey)) return messageId
  } else if (messageId !== null) {
    // A message that cannot be edited is continued in its thread.
    await chat.post(channel, message, { idempotencyKey, threadOf: messageId })
    return messageId
  }
  const called = await usersOf(chat, CALLS_THE_PILOT.has(type) ? calledBy(lines, pilot) : [])
  const mentions = called.length === 0 ? {} : { mentions: called }
  return (await chat.post(channel, { ...message, ...mentions }, { idempotencyKey })).id
}

/**
 * Returns the e-mail addresses of the people whom lines call: those that they name, else the pilot.
 */
function calledBy(lines: readonly Line[], pilot: string | null): string[] {
  const named = new Set(lines.flatMap(({ call }) => call ?? []))
  if (named.size > 0) return [...named]
  return pilot === null ? [] : [pilot]
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
