import { exampleEvent } from '#apps/examples'
import { GRACE } from '#organizations/examples'
import { exampleRelease, exampleTestedStep } from './examples.js'
import { Type } from '@sinclair/typebox'
import { WebhookAppPayload } from '#apps/events'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendedPayload } from '#foundation/core/events/payloads'
import { described, list, named } from '#foundation/core/schemas'
import {
  OwnRelease,
  OwnReleaseStep,
  ReleaseEntity,
  ReleaseStepEntity,
  ReleaseStepStatusSchema,
} from './entities.js'

const previous = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'Previous values of the changed fields; absent if nothing changed.',
  })
)

/** A release in a thin payload: its identity and its state. */
export const BriefRelease = named(
  'WebhookThinRelease',
  Type.Pick(
    OwnRelease,
    [
      'id',
      'appId',
      'version',
      'releaseType',
      'status',
      'phase',
      'releasePilotId',
      'targetKickoffAt',
      'targetSubmitAt',
      'targetReleaseAt',
      'kickedOffAt',
      'submittedAt',
      'approvedAt',
      'releasedAt',
      'completedAt',
      'skippedAt',
      'regressionStatus',
      'readyToSubmit',
      'readyToRelease',
      'updatedAt',
    ],
    { description: 'A release in brief.' }
  )
)

const BriefReleaseStep = Type.Pick(OwnReleaseStep, [
  'id',
  'stepConfigId',
  'releaseId',
  'stepRunId',
  'name',
  'type',
  'status',
  'required',
  'destinationId',
  'statusChangedAt',
])

export const WebhookReleasePayload = extendedPayload(
  'WebhookReleasePayload',
  'Payload of a release event.',
  WebhookAppPayload,
  { release: described('The release in its current state.', ReleaseEntity), previous },
  { release: described('The release in brief.', BriefRelease), previous }
)

const WebhookReleaseStepsPayload = extendedPayload(
  'WebhookReleaseStepsPayload',
  'Steps of a release whose status changed.',
  WebhookReleasePayload,
  {
    releaseSteps: list('The steps in their current state.', ReleaseStepEntity, 10_000),
    previousStatus: described('Previous status of the steps.', ReleaseStepStatusSchema),
  },
  {
    releaseSteps: list('The steps in brief.', BriefReleaseStep, 10_000),
    previousStatus: described('Previous status of the steps.', ReleaseStepStatusSchema),
  }
)

const releaseEvent = (
  type: string,
  summary: string,
  description: string,
  platforms: string,
  example: EventDeclaration['example'],
  payload = WebhookReleasePayload
): EventDeclaration => ({ type, summary, description, platforms, payload, example })

/** Events that deriving a release may cause, whatever changed it. */
export const SETTLING_EVENTS = [
  'releaseStep.statusChanged',
  'release.regressionStatusUpdated',
  'release.stepsReadyToSubmit',
  'release.stepsReadyToRelease',
]

/** The same events, and those of approvals that are withdrawn as a consequence. */
export const FALLING_EVENTS = ['checklistItem.statusChanged', ...SETTLING_EVENTS]

/** The webhook events that changes of a release cause here. */
export const events: EventDeclaration[] = [
  releaseEvent(
    'release.created',
    'A new release was drafted',
    'When a release is created by any means.',
    'All',
    () => exampleEvent(4101, '2026-11-02T09:00:00.000Z', { release: exampleRelease('drafted') })
  ),
  releaseEvent(
    'release.kickedOff',
    'A release is kicked off',
    'When a release is kicked off for the first time.',
    'All',
    () => exampleEvent(4105, '2026-11-16T09:00:12.480Z', { release: exampleRelease('kickedOff') })
  ),
  releaseEvent(
    'release.released',
    'An app update was released to users',
    'When a release first goes live to users, as signaled by a store or completed manually.',
    'iOS, OTA',
    () =>
      exampleEvent(4125, '2026-11-23T09:00:05.612Z', {
        release: exampleRelease('released', { tag: null, updatedAt: '2026-11-23T09:00:05.612Z' }),
      })
  ),
  releaseEvent(
    'release.targetDateUpdated',
    'Target dates of the release were updated',
    'When any of the three target dates changes; `previous` holds the previous values of those that did.',
    'All',
    () =>
      exampleEvent(4102, '2026-11-04T10:15:00.000Z', {
        release: exampleRelease('rescheduled'),
        previous: { targetReleaseAt: '2026-11-24T09:00:00.000Z' },
      })
  ),
  releaseEvent(
    'release.pilotChanged',
    'The release pilot changed',
    'When the release gets another pilot; `previous` holds the former one.',
    'All',
    () =>
      exampleEvent(4103, '2026-11-05T08:20:00.000Z', {
        release: exampleRelease('piloted'),
        previous: { releasePilotId: GRACE.id, releasePilot: GRACE },
      })
  ),
  releaseEvent(
    'release.regressionStatusUpdated',
    'The regression status of a release is updated',
    'When the regression status of the release changes.',
    'unspecified',
    () =>
      exampleEvent(4119, '2026-11-18T10:12:00.000Z', {
        release: exampleRelease('tested'),
        previous: { regressionStatus: 'inProgress' },
      })
  ),
  releaseEvent(
    'release.stepsReadyToSubmit',
    'All required steps are complete: ready to submit',
    'When the last required step before submission completes; again only after readiness was lost.',
    'iOS, Android',
    () =>
      exampleEvent(4120, '2026-11-18T16:04:21.007Z', { release: exampleRelease('readyToSubmit') })
  ),
  releaseEvent(
    'release.stepsReadyToRelease',
    'All required steps are complete: ready to release',
    'When all required steps are complete and the store has approved.',
    'iOS',
    () => exampleEvent(4123, '2026-11-20T06:45:18.930Z', { release: exampleRelease('approved') })
  ),
  releaseEvent(
    'releaseStep.statusChanged',
    'The status of a release step changed',
    'Once per step whose status changed.',
    'All',
    () =>
      exampleEvent(4118, '2026-11-18T10:12:00.000Z', {
        release: exampleRelease('tested'),
        releaseSteps: [exampleTestedStep()],
        previousStatus: 'inProgress',
      }),
    WebhookReleaseStepsPayload
  ),
]
