import { Type } from '@sinclair/typebox'
import { WebhookAppPayload } from '#apps/events'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendedPayload, payloadSchema } from '#foundation/core/events/payloads'
import { ReleaseEntity, ReleaseStepEntity, ReleaseStepStatusSchema } from './entities.js'

export const WebhookReleasePayload = extendedPayload('WebhookReleasePayload', WebhookAppPayload, {
  release: ReleaseEntity,
  previous: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'The changed fields as they were.' })
  ),
})

const WebhookReleaseStepsPayload = extendedPayload(
  'WebhookReleaseStepsPayload',
  WebhookReleasePayload,
  { releaseSteps: Type.Array(ReleaseStepEntity), previousStatus: ReleaseStepStatusSchema }
)

const releaseEvent = (
  type: string,
  summary: string,
  description: string,
  platforms: string,
  model = WebhookReleasePayload
): EventDeclaration => ({ type, summary, description, platforms, schema: payloadSchema(model) })

/** What deriving a release anew may cause, whatever changed it. */
export const SETTLING_EVENTS = [
  'releaseStep.statusChanged',
  'release.regressionStatusUpdated',
  'release.stepsReadyToSubmit',
  'release.stepsReadyToRelease',
]

/** The webhook events that changes of a release cause here. */
export const events: EventDeclaration[] = [
  releaseEvent(
    'release.created',
    'A new release was drafted',
    'When the record of a release is made, by whatever way.',
    'All'
  ),
  releaseEvent(
    'release.kickedOff',
    'A release is kicked off',
    'When a release is kicked off for the first time.',
    'All'
  ),
  releaseEvent(
    'release.released',
    'An app update was released to users',
    'When it is live to users for the first time, by the signal of a store or completed by hand.',
    'iOS, OTA'
  ),
  releaseEvent(
    'release.targetDateUpdated',
    'Target dates of the release were updated',
    'When any of the three targets really changed; `previous` holds those that did, as they were.',
    'All'
  ),
  releaseEvent(
    'release.pilotChanged',
    'The release pilot changed',
    'When the release has another pilot; `previous` holds the old one.',
    'All'
  ),
  releaseEvent(
    'release.regressionStatusUpdated',
    'The regression status of a release is updated',
    'When the regression status of the release differs from before.',
    'unspecified'
  ),
  releaseEvent(
    'release.stepsReadyToSubmit',
    'All required steps are complete: ready to submit',
    'When the last required step before submission completes; again only after it was not ready.',
    'iOS, Android'
  ),
  releaseEvent(
    'release.stepsReadyToRelease',
    'All required steps are complete: ready to release',
    'When all required steps are complete and the store has approved.',
    'iOS'
  ),
  releaseEvent(
    'releaseStep.statusChanged',
    'The status of a release step changed',
    'Once per step whose status differs from before.',
    'All',
    WebhookReleaseStepsPayload
  ),
]
