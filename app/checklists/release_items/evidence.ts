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
  words,
} from '#foundation/core/schemas'
import type { PresentationExtension } from '#releases/extensions'
import { exampleApproved } from '#releases/evidence/examples'
import { approvedHash, boundTo } from '#releases/evidence/schemas'
import { ITEM_STATUSES } from '#releases/vocabulary'
import { GRACE_ACTING } from '#organizations/examples'
import { MAX_REQUIRED_APPROVALS } from '../approvals/approvals.js'
import { ItemDemand } from '../demanded/demand.js'
import { findReleaseItems } from '../queries/find_release_items.js'

const EvidenceApproval = entity('EvidenceApproval', 'An approval, and who gave it for what.', {
  id: id('Id of the item.'),
  title: nonEmpty('What is approved.', 200),
  stepId: id('Id of the step that holds it.'),
  required: flag('Whether its step waits for it.'),
  status: words(ITEM_STATUSES, 'What it has come to.'),
  requiredApprovals: Type.Integer({
    minimum: 1,
    maximum: MAX_REQUIRED_APPROVALS,
    description: 'How many people have to approve.',
  }),
  fourEyes: flag('Whether whoever made the release or its texts cannot approve.'),
  demand: Type.Optional(
    described('The changes of the build that it is for; else absent.', ItemDemand)
  ),
  votes: list(
    'Who approved it.',
    object('The yes of one person.', {
      actor: described('Who approved.', ActorEntity),
      askedBy: nullable(described('The key that spoke for them; null for none.', ActorEntity)),
      at: instant('When, in UTC.'),
      comment: nullable(text('In which words; null without any.', 5000)),
      brokenGlass: flag('Whether an admin approved alone, against the rules.'),
      approvedHash,
    }),
    100
  ),
})

/** The approvals of a release, with the content that they are bound to. */
export const evidence: NonNullable<PresentationExtension['evidence']> = {
  schema: {
    approvals: object('What was approved, and by whom.', {
      ...boundTo(
        'What approvals of the release are for: the build that ships, the hashes of the texts by step, and what further parts ask to be approved.',
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
