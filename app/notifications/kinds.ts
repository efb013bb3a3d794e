import { Type } from '@sinclair/typebox'
import { commandKind } from '#foundation/core/jobs/kinds'

/** A chat is to be told, or its message brought up to date; the subject is the message. */
export const notifying = commandKind(
  'notifications.tell',
  Type.Object({ appId: Type.String() }),
  'chat'
)
