import { exampleEvent, exampleWorkflow } from '#apps/examples'
import { exampleRelease } from '#releases/examples'
import { Type } from '@sinclair/typebox'
import { flag, id, list, nonEmpty, object } from '#foundation/core/schemas'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendedPayload } from '#foundation/core/events/payloads'
import { WebhookReleasePayload } from '#releases/events'

const incomplete = (...types: string[]) =>
  exampleWorkflow
    .filter(({ type }) => types.includes(type))
    .map(({ id: stepConfigId, name }) => ({ stepConfigId, name }))

const frozen = Type.Optional(flag('True if the target date is in a freeze; otherwise absent.'))

const payload = extendedPayload(
  'WebhookReleaseReminderPayload',
  'An approaching target date.',
  WebhookReleasePayload,
  {
    incompleteSteps: list(
      'Required steps that are not complete yet.',
      object('An incomplete step.', {
        stepConfigId: id('Id of the step in the workflow of the app.'),
        name: nonEmpty('Name of the step.', 210),
      }),
      10_000
    ),
    frozen,
  },
  { frozen }
)

const reminder = (
  type: string,
  platforms: string,
  done: string,
  example: EventDeclaration['example']
): EventDeclaration => ({
  type,
  summary: `Reminder: the release is soon to be ${done}`,
  description:
    'Sent once per target date and lead time, by default 24 hours, with the incomplete steps; again if the date moves. `frozen` is true if the date is in a freeze.',
  platforms,
  payload,
  example,
})

/** Reminders of target dates, one event per phase. */
export const events: EventDeclaration[] = [
  reminder('release.kickoffReminder', 'All', 'kicked off', () =>
    exampleEvent(4104, '2026-11-15T09:00:00.000Z', {
      release: exampleRelease('piloted'),
      incompleteSteps: incomplete('kickoff'),
    })
  ),
  reminder('release.submitReminder', 'iOS, Android', 'submitted for review', () =>
    exampleEvent(4116, '2026-11-18T08:30:00.000Z', {
      release: exampleRelease('testing'),
      incompleteSteps: incomplete('regressionTesting', 'metadata', 'approvals'),
    })
  ),
  reminder('release.releaseReminder', 'iOS', 'released', () =>
    exampleEvent(4124, '2026-11-22T09:00:00.000Z', {
      release: exampleRelease('approved'),
      incompleteSteps: [],
      frozen: true,
    })
  ),
]
