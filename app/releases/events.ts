import { Type } from '@sinclair/typebox'
import { APP_PLATFORMS } from '#apps/vocabulary'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { appPayload, extendPayload } from '#foundation/core/events/payloads'
import { exampleOfSchema } from '#foundation/api/openapi/example_of'
import { ReleaseEntity, ReleaseStepEntity, ReleaseStepStatusSchema } from './entities.js'

export const WebhookAppPayload = appPayload(APP_PLATFORMS)

export const WebhookReleasePayload = extendPayload('WebhookReleasePayload', WebhookAppPayload, {
  release: ReleaseEntity,
  previous: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'The changed fields as they were.' })
  ),
})

export const WebhookReleaseStepsPayload = extendPayload(
  'WebhookReleaseStepsPayload',
  WebhookReleasePayload,
  { releaseSteps: Type.Array(ReleaseStepEntity), previousStatus: ReleaseStepStatusSchema }
)

const releaseEvent = (
  type: string,
  summary: string,
  description: string,
  platforms: string,
  schema = WebhookReleasePayload
): EventDeclaration => ({
  type,
  summary,
  description,
  platforms,
  schema,
  example: { ...(exampleOfSchema(schema) as object), eventType: type, type },
})

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
    'release.targetDateUpdated',
    'Target dates of the release were updated',
    'When any of the three targets really changed; `previous` holds the old ones.',
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
