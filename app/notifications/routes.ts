import { Type } from '@sinclair/typebox'
import { actions, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { NotificationEntity } from './entities.js'
import { exampleNotification } from './examples.js'
import { setNotificationValidator } from './notification_input.js'
import { NOTIFICATION_TYPES } from './vocabulary.js'
import { twoSteps } from '#foundation/api/operation/steps'

const notifications = lazyController(
  async () =>
    new (await import('./controllers/notifications_controller.js')).NotificationsController()
)
const tag = 'Notifications'

export const operations = [
  operation({
    id: 'listNotifications',
    method: 'GET',
    path: '/app/{appId}/notifications',
    tag,
    summary: 'List notifications',
    description:
      'Returns the chat notifications of the app, with their channels and the lead times of reminders.',
    beyond: true,
    access: read,
    responses: {
      200: {
        description: 'The notifications, one of each type.',
        schema: Type.Array(NotificationEntity, { maxItems: NOTIFICATION_TYPES.length }),
        example: [exampleNotification],
      },
    },
    handle: (call) => notifications.list(call),
  }),
  operation({
    id: 'setNotification',
    steps: twoSteps('says which channels are notified from then on'),
    method: 'PUT',
    path: '/app/{appId}/notifications',
    tag,
    summary: 'Set a notification',
    description:
      'Changes a notification. It is sent by the first chat integration of the app. A reminder is sent once per date and lead time, and again if the date moves; never for completed work.',
    beyond: true,
    access: actions('UpdateAppSettings'),
    body: {
      kind: 'json',
      name: 'SetNotificationRequestBody',
      description: 'The notification, and the fields to change; absent fields stay.',
      like: NotificationEntity,
      validator: setNotificationValidator,
      example: {
        type: exampleNotification.type,
        leadTimeMinutes: exampleNotification.leadTimeMinutes,
        channelOverride: exampleNotification.channelOverride,
      },
    },
    responses: {
      200: {
        description: 'The notification.',
        schema: NotificationEntity,
        example: exampleNotification,
      },
    },
    shownBy: { of: 'listNotifications' },
    check: (call, errors) => notifications.check(call, errors),
    handle: (call) => notifications.set(call),
  }),
]
