import { Type } from '@sinclair/typebox'
import { extendedPayload, WebhookPayload } from '#foundation/core/events/payloads'
import { nullable, words } from '#foundation/core/schemas'
import { APP_PLATFORMS } from './vocabulary.js'

/** The members of the payload of every event of an app. */
export const WebhookAppPayload = extendedPayload('WebhookAppPayload', WebhookPayload, {
  app: Type.Object({
    id: Type.String(),
    name: Type.String(),
    platform: words(APP_PLATFORMS),
    appGroup: nullable(Type.String()),
  }),
})
