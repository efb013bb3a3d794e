import { createHash } from 'node:crypto'
import { listFixRequests } from '#fixes/queries/fix_requests'
import { later } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { buttonMaker } from '#integrations/interactions/button_maker'
import { currentEntityTag } from '#integrations/interactions/present_tag'
import type { Chat, ChatButton, ChatMessage } from '#plugin-kit/capabilities/work'
import { reachableUrl } from '#releases/page_addresses'
import { isTakenOffTogether } from '#stores/pairs/find_pair'
import { otherInStore } from '#stores/pairs/other_of_pair'
import { composeHistory } from '../compose.js'
import { editMessage } from '../edit_message.js'
import type { Message } from '../messages.js'
import { releaseFacts, type ReleaseFacts } from '../queries/message_facts.js'
import type { Line } from '../tables.js'
import { composeLiving } from './compose_living.js'
import { possiblePresses } from './possible_presses.js'

/** The time after which a button does nothing; each edit of the message renews the buttons. */
const BUTTON_LIFE = 30 * DAY

/** The current content of a living message, and the missing part of its history. */
export interface LivingContent {
  message: ChatMessage
  answers: Answer[]
  pilot: string | null
}

/** An answer in the thread of a living message. */
interface Answer {
  key: string
  message: ChatMessage
  lines: readonly Line[]
}

/** @param unreported the lines of the answers that its history lacks, by answer */
export async function livingContent(
  scope: Scope,
  { appId, releaseId, channel, lines }: Message,
  connectionId: string,
  unreported: ReadonlyMap<string, readonly Line[]>
): Promise<LivingContent> {
  const about = { appId, releaseId: releaseId!, channel, lines: [...lines] }
  const given = await releaseFacts(scope, about)
  const { content } = given
  return {
    message: composeLiving(given, await buttonsOf(scope, connectionId, given)),
    answers: [...unreported].map(([key, notified]) => ({
      key,
      lines: notified,
      message: composeHistory({ ...content, lines: notified }),
    })),
    pilot: content.pilot,
  }
}

/** Returns buttons that act if the chat reports presses, and otherwise link to a page. */
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
      const ifMatch = isBound && (await currentEntityTag(scope, request))
      const button = make({
        ...request,
        ...(ifMatch !== undefined && { ifMatch }),
        until: later(scope.now, BUTTON_LIFE),
      })
      return { ...shown, ...button, ...(asks !== undefined && { asks }) }
    })
  )
}

/** The part of a message that says where it is, or will be. */
type MessagePlace = Pick<Message, 'id' | 'channel' | 'integrationId' | 'messageId'>

/**
 * Edits a living message, or posts a new one if there is none, somebody deleted it, or it can no
 * longer be edited.
 * @returns the id of the message in the chat
 */
export async function upsertLiving(
  chat: Chat,
  { id, channel, integrationId, messageId }: MessagePlace,
  message: ChatMessage
): Promise<string> {
  if (messageId !== null) {
    const key = keyOf('edit', id, JSON.stringify(message))
    if (await editMessage(chat, { channel, messageId }, message, key)) return messageId
  }
  // The key depends on the message that is replaced, so a repeated call posts no second one.
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

/** Derives an idempotency key, so that a call that is repeated has the same key. */
const keyOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url')
