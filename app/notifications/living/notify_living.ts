import { createHash } from 'node:crypto'
import { listFixRequests } from '#fixes/queries/fix_requests'
import { later } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { buttonMaker } from '#integrations/interactions/button_maker'
import { presentTag } from '#integrations/interactions/present_tag'
import type { Chat, ChatButton, ChatMessage } from '#plugin-kit/capabilities/work'
import { reachableUrl } from '#releases/page_addresses'
import { isTakenOffTogether } from '#stores/pairs/find_pair'
import { otherInStore } from '#stores/pairs/other_of_pair'
import { composeHistory } from '../compose.js'
import { edited } from '../edit_message.js'
import type { Message } from '../messages.js'
import { releaseFacts, type ReleaseFacts } from '../queries/message_facts.js'
import type { Line } from '../tables.js'
import { composeLiving } from './compose_living.js'
import { possiblePresses } from './possible_presses.js'

/** Buttons are made anew with each edit; one that was not pressed for so long does nothing. */
const BUTTON_LIFE = 30 * DAY

/** The current content of a living message, and the missing part of its history. */
export interface LivingContent {
  message: ChatMessage
  answers: Answer[]
  pilot: string | null
}

/** An answer in its thread. */
interface Answer {
  key: string
  message: ChatMessage
  lines: readonly Line[]
}

/** @param unreported the answers that its history lacks */
export async function livingContent(
  scope: Scope,
  { appId, releaseId, lines }: Message,
  connectionId: string,
  unreported: ReadonlyMap<string, readonly Line[]>
): Promise<LivingContent> {
  const given = await releaseFacts(scope, { appId, releaseId: releaseId!, lines: [...lines] })
  const { content } = given
  return {
    message: composeLiving(given, await buttonsOf(scope, connectionId, given)),
    answers: [...unreported].map(([key, notified]) => ({
      ...{ key, lines: notified },
      message: composeHistory({ ...content, lines: notified }),
    })),
    pilot: content.pilot,
  }
}

/** Buttons that are carried out where presses can be heard, and lead to pages elsewhere. */
async function buttonsOf(
  scope: Scope,
  connectionId: string,
  given: ReleaseFacts
): Promise<ChatButton[]> {
  const presses = possiblePresses({
    ...given,
    isTakenOffTogether: await isTakenOffTogether(scope, given.release),
    isOtherInStore: (await otherInStore(scope, given.release)) !== null,
    fixes: await listFixRequests(scope, given.release.id, 'pending'),
  })
  const make = presses.length > 0 ? await buttonMaker(scope, connectionId) : null
  const { appId, publicId: releaseId } = given.release
  return Promise.all(
    presses.map(async (press): Promise<ChatButton> => {
      const { label, style, asks, stepId, isBound, ...request } = press
      const shown = { label, ...(style && { style }) }
      if (!make) return { ...shown, url: reachableUrl({ appId, releaseId, stepId }) }
      const ifMatch = isBound && (await presentTag(scope, request))
      const button = make({
        ...request,
        ...(ifMatch !== undefined && { ifMatch }),
        until: later(scope.now, BUTTON_LIFE),
      })
      return { ...shown, ...button, ...(asks !== undefined && { asks }) }
    })
  )
}

/** The current or future place of a living message. */
type Standing = Pick<Message, 'id' | 'channel' | 'integrationId' | 'messageId'>

/**
 * Brings a living message up to date. One that somebody deleted, or that can be edited no more, is
 * posted anew.
 * @returns its id from now on
 */
export async function standLiving(
  chat: Chat,
  { id, channel, integrationId, messageId }: Standing,
  message: ChatMessage
): Promise<string> {
  if (messageId !== null) {
    const key = keyOf('edit', id, JSON.stringify(message))
    if (await edited(chat, { channel, messageId }, message, key)) return messageId
  }
  // In its place there is one more, however often its answer is lost.
  const idempotencyKey = keyOf('stand', id, integrationId ?? '', channel, messageId ?? 'first')
  return (await chat.post(channel, message, { idempotencyKey })).id
}

/** Adds an answer to the history below a living message. */
export async function answerLiving(
  chat: Chat,
  { id, channel, messageId }: Pick<Message, 'id' | 'channel'> & { messageId: string },
  { key, message }: Answer,
  called: readonly string[]
): Promise<void> {
  const mentions = called.length === 0 ? {} : { mentions: [...called] }
  const idempotencyKey = keyOf('history', id, messageId, key)
  await chat.post(channel, { ...message, ...mentions }, { idempotencyKey, threadOf: messageId })
}

/** The same for the same, however often it is asked for: an answer may be lost. */
const keyOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url')
