import { isProviderError } from '#integrations/ask_provider'
import type { Chat, ChatMessage } from '#plugin-kit/capabilities/work'
import type { Message } from './messages.js'

/** A message that is in a chat. */
type PostedMessage = Pick<Message, 'channel'> & { messageId: string }

/**
 * Edits a message in a chat that can do so.
 * @returns false if somebody deleted it, or it can no longer be edited
 */
export async function editMessage(
  chat: Chat,
  { channel, messageId }: PostedMessage,
  message: ChatMessage,
  idempotencyKey: string
): Promise<boolean> {
  try {
    await chat.update!(channel, { id: messageId }, message, { idempotencyKey })
    return true
  } catch (error) {
    if (!isProviderError(error) || (error.code !== 'notFound' && error.code !== 'conflict'))
      throw error
    return false
  }
}
