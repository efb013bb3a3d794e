import { Type, type Static } from '@sinclair/typebox'
import { entity, flag, nonEmpty, nullable, text, enumOf } from '#foundation/core/schemas'
import { MAX_LEAD_MINUTES } from '#planning/vocabulary'
import { MAX_CHANNEL, NOTIFICATION_TYPES } from './vocabulary.js'

export const NotificationEntity = entity(
  'NotificationEntity',
  'A notification, and when it is sent.',
  {
    id: nonEmpty('Id of the notification.', 300),
    type: enumOf(NOTIFICATION_TYPES, 'Type of the event, as in the timeline.'),
    enabled: flag('Whether the chat of the app is notified; a disabled reminder is sent nowhere.'),
    channelOverride: nullable(
      text('Chat channel to use instead; null for those of the integration.', MAX_CHANNEL)
    ),
    leadTimeMinutes: nullable(
      Type.Integer({
        description: 'Minutes before the target date; null if it is no reminder.',
        minimum: 0,
        maximum: MAX_LEAD_MINUTES,
      })
    ),
  }
)
export type NotificationEntity = Static<typeof NotificationEntity>
