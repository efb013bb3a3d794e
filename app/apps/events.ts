import { extendedPayload, WebhookPayload } from '#foundation/core/events/payloads'
import { nonEmpty, nullable, object, enumOf } from '#foundation/core/schemas'
import { APP_PLATFORMS } from './vocabulary.js'

/** The members that the payload of every app event has. */
export const WebhookAppPayload = extendedPayload(
  'WebhookAppPayload',
  'Payload of an app event.',
  WebhookPayload,
  {
    app: object('App of the event.', {
      id: nonEmpty('Id of the app.', 200),
      name: nonEmpty('Name of the app.', 100),
      platform: enumOf(APP_PLATFORMS, 'Platform of the app.'),
      appGroup: nullable(nonEmpty('Label shared by apps of one product; null if none.', 100)),
    }),
  }
)
