import { extendedPayload, WebhookPayload } from '#foundation/core/events/payloads'
import { nonEmpty, nullable, object, words } from '#foundation/core/schemas'
import { APP_PLATFORMS } from './vocabulary.js'

/** The members that the payload of every app event has. */
export const WebhookAppPayload = extendedPayload(
  'WebhookAppPayload',
  'Something of an app.',
  WebhookPayload,
  {
    app: object('The app it happened to.', {
      id: nonEmpty('Id of the app.', 200),
      name: nonEmpty('Name of the app.', 100),
      platform: words(APP_PLATFORMS, 'The platform it runs on.'),
      appGroup: nullable(nonEmpty('Label that apps of one product share; null without one.', 100)),
    }),
  }
)
