import { Type } from '@sinclair/typebox'
import {
  ActorEntity,
  described,
  entity,
  flag,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  text,
  enumOf,
} from '#foundation/core/schemas'
import type { PresentationExtension } from '#releases/extensions'
import { exampleApproved } from '#releases/evidence/examples'
import { approvedHash, boundTo } from '#releases/evidence/schemas'
import { ITEM_STATUSES } from '#releases/vocabulary'
import { GRACE_ACTING } from '#organizations/examples'
import { MAX_REQUIRED_APPROVALS } from '../approvals/approvals.js'
import { ItemDemand } from '../demanded/demand.js'
import { findReleaseItems } from '../queries/find_release_items.js'

const EvidenceApproval = entity('EvidenceApproval', 'An approval with its votes.', {
  id: id('Id of the item.'),
  title: nonEmpty('Title of the approval.', 200),
  stepId: id('Id of its step.'),
  required: flag('Whether the step requires it.'),
  status: enumOf(ITEM_STATUSES, 'Status of the approval.'),
  requiredApprovals: Type.Integer({
    minimum: 1,
    maximum: MAX_REQUIRED_APPROVALS,
    description: 'Number of people who must approve.',
  }),
  fourEyes: flag('Whether the authors of the release or its texts cannot approve.'),
  demand: Type.Optional(
    described('Build changes that require the approval; absent otherwise.', ItemDemand)
  ),
  votes: list(
    'Votes for the approval.',
    object('Approval by one person.', {
      actor: described('Who approved.', ActorEntity),
      askedBy: nullable(described('The key that voted for them; null if none.', ActorEntity)),
      at: instant('Time of approval, in UTC.'),
      comment: nullable(text('Their comment; null if none.', 5000)),
      brokenGlass: flag('Whether an admin approved alone, against the rules.'),
      approvedHash,
    }),
    100
  ),
})

/** The approvals of a release, with the content that they are bound to. */
export const evidence: NonNullable<PresentationExtension['evidence']> = {
  schema: {
    approvals: object('Approvals of the release.', {
      ...boundTo(
        'Approved content: the build that ships, hashes of the texts by step, and other parts that require approval.',
        Type.Record(Type.String(), Type.Unknown())
      ),
      items: list('The approvals, in the order of the workflow.', EvidenceApproval, 10_000),
    }),
  },
  async of(scope, release, { content, hash: contentHash }) {
    const found = await findReleaseItems(scope, release, { kind: 'approval' })
    const items = found.map(({ stepId, item, votes }) => ({
      id: item.id,
      title: item.title,
      stepId,
      required: item.required,
      status: item.status!.type,
      requiredApprovals: item.requiredApprovals ?? 1,
      fourEyes: item.fourEyes ?? false,
      ...(item.demand && { demand: item.demand }),
      votes: votes.map(({ actor, askedBy = null, at, comment, hash, brokenGlass = false }) => ({
        ...{ actor, askedBy, at, comment, brokenGlass },
        approvedHash: hash,
      })),
    }))
    return { approvals: { content, contentHash, items } }
  },
  example: {
    approvals: {
      ...exampleApproved,
      items: [
        {
          id: 'item_4mZs1TnY8pLq6RvXc3Wb',
          title: 'Legal agrees',
          stepId: 'step_1rHb7LpT5oKi9MnAx3Ew',
          required: true,
          status: 'approved',
          requiredApprovals: 1,
          fourEyes: true,
          votes: [
            {
              actor: GRACE_ACTING,
              askedBy: null,
              at: '2026-11-18T15:40:00.000Z',
              comment: null,
              brokenGlass: false,
              approvedHash: exampleApproved.contentHash,
            },
          ],
        },
      ],
    },
  },
}
