import { Type } from '@sinclair/typebox'
import { WebhookAppPayload } from '#apps/events'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendedPayload, payloadSchema } from '#foundation/core/events/payloads'
import {
  WebhookFixRequestEntity,
  WebhookFixRequestReleaseEntity,
  WebhookFixRequestStepRunEntity,
} from './entities.js'

const schema = payloadSchema(
  extendedPayload('WebhookFixRequestPayload', WebhookAppPayload, {
    release: WebhookFixRequestReleaseEntity,
    stepRun: Type.Optional(WebhookFixRequestStepRunEntity),
    fixRequest: WebhookFixRequestEntity,
  })
)
const platforms = 'unspecified'

/** Events of fix requests, as they will be sent; subscriptions may name them already. */
export const events: EventDeclaration[] = [
  {
    type: 'fixRequest.created',
    summary: 'A fix request is created on a release',
    description: 'When it is created.',
    platforms,
    schema,
  },
  {
    type: 'fixRequest.approved',
    summary: 'A fix request has the approvals it needs',
    description: 'Once, when the required number is reached; not for each approval.',
    platforms,
    schema,
  },
  {
    type: 'fixRequest.rejected',
    summary: 'A fix request is rejected',
    description: 'When it is rejected.',
    platforms,
    schema,
  },
  {
    type: 'fixRequest.merged',
    summary: 'All changes of a fix request are merged',
    description: 'When all its code is in the release branch.',
    platforms,
    schema,
  },
]
