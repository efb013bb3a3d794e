import { exampleEvent } from '#apps/examples'
import { exampleFixes, exampleFixPlace } from './examples.js'
import { Type } from '@sinclair/typebox'
import { WebhookAppPayload } from '#apps/events'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendedPayload } from '#foundation/core/events/payloads'
import { described } from '#foundation/core/schemas'
import {
  WebhookFixRequestEntity,
  WebhookFixRequestReleaseEntity,
  WebhookFixRequestStepRunEntity,
} from './entities.js'

const about = {
  release: described('The target release.', WebhookFixRequestReleaseEntity),
  stepRun: Type.Optional(
    described('The step run it was created in; absent if none.', WebhookFixRequestStepRunEntity)
  ),
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
  'An event about a fix request.',
  WebhookAppPayload,
  {
    ...about,
    fixRequest: described('The fix request in its current state.', WebhookFixRequestEntity),
  },
  { ...about, fixRequest: described('The fix request in brief.', BriefFixRequest) }
)
const platforms = 'unspecified'

/** Events of fix requests, one per decision. */
export const events: EventDeclaration[] = [
  {
    type: 'fixRequest.created',
    summary: 'A fix request is created on a release',
    description: 'When a fix request is created.',
    platforms,
    payload,
    example: () =>
      exampleEvent(4112, '2026-11-17T08:15:00.000Z', {
        ...exampleFixPlace,
        fixRequest: exampleFixes.created,
      }),
  },
  {
    type: 'fixRequest.approved',
    summary: 'A fix request has the approvals it needs',
    description:
      'When the required number of approvals is reached, not for each one; again if approvals lapsed because the code to merge changed, and were renewed.',
    platforms,
    payload,
    example: () =>
      exampleEvent(4113, '2026-11-17T09:40:00.000Z', {
        ...exampleFixPlace,
        fixRequest: exampleFixes.approved,
      }),
  },
  {
    type: 'fixRequest.rejected',
    summary: 'A fix request is rejected',
    description: 'When a fix request is rejected.',
    platforms,
    payload,
    example: () =>
      exampleEvent(4114, '2026-11-17T10:30:00.000Z', {
        ...exampleFixPlace,
        fixRequest: exampleFixes.rejected,
      }),
  },
  {
    type: 'fixRequest.merged',
    summary: 'All changes of a fix request are merged',
    description: 'When all its code is on the release branch; again if it was lost and is back.',
    platforms,
    payload,
    example: () =>
      exampleEvent(4115, '2026-11-17T11:20:00.000Z', {
        ...exampleFixPlace,
        fixRequest: exampleFixes.merged,
      }),
  },
]
