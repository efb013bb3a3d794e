import { createHash } from 'node:crypto'
import { listFixRequests } from '#fixes/queries/fix_requests'
import { later } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { buttonMaker } from '#integrations/interactions/button_maker'
import { currentEntityTag } from '#integrations/interactions/present_tag'
import type { Chat, ChatButton, ChatMessage } from '#plugin-kit/capabilities/work'
import { reachableUrl } from '#releases/page_addresses'
import { rolloutShown } from '#rollouts/queries/rollout_shown'
import { isBeforeStores, redButtonIn } from '#rollouts/red_button'
import { otherInStore } from '#stores/pairs/other_of_pair'
import { composeHistory } from '../compose.js'
import { editMessage } from '../edit_message.js'
import type { Message } from '../messages.js'
import { releaseFacts, type ReleaseFacts } from '../queries/message_facts.js'
import type { Line } from '../tables.js'
import { composeLiving } from './compose_living.js'
import { possiblePresses } from './possible_presses.js'

/** The lifetime of a button; each edit of the message renews the buttons. */
const BUTTON_LIFETIME = 30 * DAY

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

/** @param unreported the lines that the history still lacks, by the key of their answer */
export async function livingContent(
  scope: Scope,
  { appId, releaseId, channel, lines }: Message,
  connectionId: string,
  unreported: ReadonlyMap<string, readonly Line[]>
): Promise<LivingContent> {
  const about = { appId, releaseId: releaseId!, channel, lines: [...lines] }
  const facts = await releaseFacts(scope, about)
  const { content } = facts
  return {
    message: composeLiving(facts, await buttonsOf(scope, connectionId, facts)),
    answers: [...unreported].map(([key, missing]) => ({
      key,
      lines: missing,
      message: composeHistory({ ...content, lines: missing }),
    })),
    pilot: content.pilot,
  }
}

/** Returns buttons that act if the chat reports presses, or else link to a page. */
async function buttonsOf(
  scope: Scope,
  connectionId: string,
  facts: ReleaseFacts
): Promise<ChatButton[]> {
  const { release, why } = facts
  const rollout = isBeforeStores(why.phase) ? null : await rolloutShown(scope, release)
  const presses = possiblePresses({
    ...facts,
    red: redButtonIn(rollout, release).state,
    isOtherInStore: (await otherInStore(scope, release)) !== null,
    fixes: await listFixRequests(scope, release.id, 'pending'),
  })
  const make = presses.length > 0 ? await buttonMaker(scope, connectionId) : null
  const { appId, publicId: releaseId } = release
  return Promise.all(
    presses.map(async (press): Promise<ChatButton> => {
      const { label, style, asks, stepId, isBound, ...request } = press
      const shown = { label, ...(style && { style }) }
      if (!make) return { ...shown, url: reachableUrl({ appId, releaseId, stepId }) }
      const ifMatch = isBound && (await currentEntityTag(scope, request))
      const button = make({
        ...request,
        ...(ifMatch !== undefined && { ifMatch }),
        until: later(scope.now, BUTTON_LIFETIME),
      })
      return { ...shown, ...button, ...(asks !== undefined && { asks }) }
    })
  )
}

/** The members of a message that locate it in its chat. */
type MessageLocation = Pick<Message, 'id' | 'channel' | 'integrationId' | 'messageId'>

/**
 * Edits a living message, or posts a new one if there is none, somebody deleted it, or it can no
 * longer be edited.
 * @returns the id of the message in the chat
 */
export async function upsertLiving(
  chat: Chat,
  { id, channel, integrationId, messageId }: MessageLocation,
  message: ChatMessage
): Promise<string> {
  if (messageId !== null) {
    const key = keyOf('edit', id, JSON.stringify(message))
    if (await editMessage(chat, { channel, messageId }, message, key)) return messageId
  }
  // The key depends on the message that is replaced, so a retry posts no second one.
  const idempotencyKey = keyOf('stand', id, integrationId ?? '', channel, messageId ?? 'first')
  return (await chat.post(channel, message, { idempotencyKey })).id
}

/** Adds an answer to the history below a living message. */
export async function answerLiving(
  chat: Chat,
  { id, channel, messageId }: Pick<Message, 'id' | 'channel'> & { messageId: string },
  { key, message }: Answer,
  mentioned: readonly string[]
): Promise<void> {
  const mentions = mentioned.length === 0 ? {} : { mentions: [...mentioned] }
  const idempotencyKey = keyOf('history', id, messageId, key)
  await chat.post(channel, { ...message, ...mentions }, { idempotencyKey, threadOf: messageId })
}

/** Derives an idempotency key, so that retries of a call have the same key. */
const keyOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url')
