import { Type } from '@sinclair/typebox'
import { WebhookAppPayload } from '#apps/events'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendedPayload } from '#foundation/core/events/payloads'
import {
  WebhookFixRequestEntity,
  WebhookFixRequestReleaseEntity,
  WebhookFixRequestStepRunEntity,
} from './entities.js'

const about = {
  release: WebhookFixRequestReleaseEntity,
  stepRun: Type.Optional(WebhookFixRequestStepRunEntity),
}

const BriefFixRequest = Type.Pick(WebhookFixRequestEntity, [
  'id',
  'status',
  'requester',
  'requiredApprovals',
  'triageIssueId',
  'createdAt',
  'approvedAt',
  'rejectedAt',
  'mergedAt',
])

const payload = extendedPayload(
  'WebhookFixRequestPayload',
  WebhookAppPayload,
  { ...about, fixRequest: WebhookFixRequestEntity },
  { ...about, fixRequest: BriefFixRequest }
)
const platforms = 'unspecified'

/** Events of fix requests, as they will be sent; subscriptions may name them already. */
export const events: EventDeclaration[] = [
  {
    type: 'fixRequest.created',
    summary: 'A fix request is created on a release',
    description: 'When it is created.',
    platforms,
    payload,
  },
  {
    type: 'fixRequest.approved',
    summary: 'A fix request has the approvals it needs',
    description: 'Once, when the required number is reached; not for each approval.',
    platforms,
    payload,
  },
  {
    type: 'fixRequest.rejected',
    summary: 'A fix request is rejected',
    description: 'When it is rejected.',
    platforms,
    payload,
  },
  {
    type: 'fixRequest.merged',
    summary: 'All changes of a fix request are merged',
    description: 'When all its code is in the release branch.',
    platforms,
    payload,
  },
]
