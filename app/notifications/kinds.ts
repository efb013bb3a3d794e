import { Type } from '@sinclair/typebox'
import { wishKind } from '#foundation/core/agenda/kinds'

/** A chat is to be told, or its message brought up to date; the subject is the message. */
export const telling = wishKind('notifications.tell', Type.Object({ appId: Type.String() }), 'chat')
