import { createHash } from 'node:crypto'
import { later } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { isProviderError } from '#integrations/ask_provider'
import { buttonMaker } from '#integrations/interactions/button_maker'
import type { Chat, ChatButton, ChatMessage } from '#plugin-kit/capabilities/work'
import { reachableUrl } from '#releases/page_addresses'
import { composeHistory } from '../compose.js'
import type { Message } from '../messages.js'
import { releaseFacts, type ReleaseFacts } from '../queries/message_facts.js'
import type { Line } from '../tables.js'
import { composeLiving } from './compose_living.js'
import { possiblePresses, type Press } from './possible_presses.js'

/** Buttons are made anew with each edit; one that was not pressed for so long does nothing. */
const BUTTON_LIFE = 30 * DAY

/** What a living message says now, and what its history lacks. */
export interface LivingContent {
  message: ChatMessage
  /** Null where there is nothing new. */
  history: ChatMessage | null
  pilot: string | null
}

/** @param lines those that its history lacks */
export async function livingContent(
  scope: Scope,
  { appId, releaseId, lines }: Message,
  connectionId: string,
  untold: readonly Line[]
): Promise<LivingContent> {
  const given = await releaseFacts(scope, { appId, releaseId: releaseId!, lines: [...lines] })
  const { content } = given
  return {
    message: composeLiving(given, await buttonsOf(scope, connectionId, given)),
    history: untold.length > 0 ? composeHistory({ ...content, lines: untold }) : null,
    pilot: content.pilot,
  }
}

/** Buttons that are carried out where presses can be heard, and lead to pages elsewhere. */
async function buttonsOf(
  scope: Scope,
  connectionId: string,
  given: ReleaseFacts
): Promise<ChatButton[]> {
  const presses = possiblePresses(given)
  const make = presses.length > 0 ? await buttonMaker(scope, connectionId) : null
  const { appId, publicId: releaseId } = given.release
  return presses.map(({ label, style, asks, stepId, ...request }: Press): ChatButton => {
    const shown = { label, ...(style && { style }) }
    if (!make) return { ...shown, url: reachableUrl({ appId, releaseId, stepId }) }
    const button = make({ ...request, until: later(scope.now, BUTTON_LIFE) })
    return { ...shown, ...button, ...(asks !== undefined && { asks }) }
  })
}

/** Where a living message stands, and the revision that its channel was told of. */
type Standing = Pick<Message, 'id' | 'channel' | 'messageId' | 'told'>

/**
 * Brings a living message up to date, and adds to its history. One that somebody deleted is posted
 * anew.
 * @returns its id from now on
 */
export async function standLiving(
  chat: Chat,
  { id, channel, messageId, told }: Standing,
  { message, history }: LivingContent,
  called: readonly string[]
): Promise<string> {
  const stands = await edited(chat, { id, channel, messageId, told }, message)
  if (history === null) return stands
  const mentions = called.length === 0 ? {} : { mentions: [...called] }
  // What happens once more, such as a second submission, is told in the same words.
  const idempotencyKey = keyOf('history', id, stands, String(told), history.text)
  await chat.post(channel, { ...history, ...mentions }, { idempotencyKey, threadOf: stands })
  return stands
}

async function edited(
  chat: Chat,
  { id, channel, messageId }: Standing,
  message: ChatMessage
): Promise<string> {
  if (messageId !== null) {
    try {
      const idempotencyKey = keyOf('edit', id, JSON.stringify(message))
      await chat.update!(channel, { id: messageId }, message, { idempotencyKey })
      return messageId
    } catch (error) {
      // Somebody deleted it.
      if (!isProviderError(error) || error.code !== 'notFound') throw error
    }
  }
  // Of what somebody deleted there is one more, however often its answer is lost.
  const idempotencyKey = keyOf('stand', id, channel, messageId ?? 'first')
  return (await chat.post(channel, message, { idempotencyKey })).id
}

/** The same for the same, however often it is asked for: an answer may be lost. */
const keyOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url')
