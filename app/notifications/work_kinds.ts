import { Type } from '@sinclair/typebox'
import { commandKind } from '#foundation/core/jobs/kinds'

/** Posts a message to a chat, or updates it; the subject is the message. */
export const notifyKind = commandKind(
  'notifications.notify',
  Type.Object({ appId: Type.String() }),
  'chat'
)
