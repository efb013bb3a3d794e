import { Type } from '@sinclair/typebox'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendedPayload } from '#foundation/core/events/payloads'
import { WebhookReleasePayload } from '#releases/events'

const frozen = Type.Optional(Type.Boolean({ description: 'The target lies in a freeze.' }))

const payload = extendedPayload(
  'WebhookReleaseReminderPayload',
  WebhookReleasePayload,
  {
    incompleteSteps: Type.Array(Type.Object({ stepConfigId: Type.String(), name: Type.String() })),
    frozen,
  },
  { frozen }
)

const reminder = (type: string, platforms: string, done: string): EventDeclaration => ({
  type,
  summary: `Reminder: the release is soon to be ${done}`,
  description:
    'Once per target date and lead time, 24 hours by default, with the steps still incomplete; again when the date moves. In a freeze it says `frozen: true`.',
  platforms,
  payload,
})

/** Reminders of target dates, as they will be sent; subscriptions may name them already. */
export const events: EventDeclaration[] = [
  reminder('release.kickoffReminder', 'All', 'kicked off'),
  reminder('release.submitReminder', 'iOS, Android', 'submitted for review'),
  reminder('release.releaseReminder', 'iOS', 'released'),
]
