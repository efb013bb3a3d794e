import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import {
  ActorEntity,
  count,
  described,
  entity,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  text,
  enumOf,
} from '#foundation/core/schemas'
import { ADA_ACTING, GRACE_ACTING } from '#organizations/examples'
import { approvedHash, boundTo } from '#releases/evidence/schemas'
import type { PresentationExtension } from '#releases/extensions'
import { FixRequestFormFieldValue } from '../entities.js'
import { exampleFixRequest, exampleFixInput } from '../examples.js'
import { boundContent, contentHash } from './fix_approvals.js'
import { listFixRequests } from '../queries/fix_requests.js'
import type { Verdict } from '../tables.js'
import { FIX_STATUSES, MAX_COMMITS, MAX_FORM_FIELDS, MAX_PULL_REQUESTS } from '../vocabulary.js'

const verdict = {
  actor: described('Who decided.', ActorEntity),
  askedBy: nullable(described('API key that acted for them; null if none.', ActorEntity)),
  at: instant('Time of the decision, in UTC.'),
  comment: nullable(text('Comment; null if none.', 10_000)),
}
const at = (what: string) => nullable(instant(`When it was ${what}, in UTC; null otherwise.`))

const EvidenceFix = entity(
  'EvidenceFix',
  'A late change: who requested it, and who approved what.',
  {
    id: id('Id of the fix request.'),
    title: nonEmpty('What was to be fixed.', 200),
    status: enumOf(FIX_STATUSES, 'Status of the fix request.'),
    requester: described('Who requested the fix.', ActorEntity),
    requiredApprovals: count('Number of required approvals.'),
    ...boundTo(
      'What approvals apply to: the code and ticket of the fix.',
      object('Code and ticket.', {
        commits: list('Hashes of commits.', nonEmpty('Hash of a commit.', 64), MAX_COMMITS),
        pullRequests: list(
          'Numbers of pull requests.',
          Type.Integer({ description: 'Number of a pull request.', minimum: 1 }),
          MAX_PULL_REQUESTS
        ),
        ticketId: nullable(nonEmpty('The ticket; null if none.', 200)),
        wayIn: Type.Optional(
          enumOf(['backMerge'], 'Present if the whole working branch is merged; absent otherwise.')
        ),
        mergeHead: Type.Optional(nonEmpty('The last commit to merge; absent if unknown.', 64)),
      })
    ),
    approvals: list(
      'Approvals of the fix.',
      object('An approval.', { ...verdict, approvedHash }),
      100
    ),
    rejections: list('Rejections of the fix.', object('A rejection.', verdict), 100),
    picks: list(
      'Cherry-picks of its commits.',
      object('A cherry-pick.', {
        commitHash: nonEmpty('Hash of the commit.', 64),
        state: nonEmpty('State of the cherry-pick.', 32),
        pickedAs: nullable(nonEmpty('Its hash on the release branch; null if none.', 64)),
      }),
      10_000
    ),
    formFields: list('Values of the form fields.', FixRequestFormFieldValue, MAX_FORM_FIELDS),
    createdAt: instant('When it was requested, in UTC.'),
    approvedAt: at('approved'),
    rejectedAt: at('rejected'),
    mergedAt: at('seen complete on the release branch'),
  }
)

const shownVerdict = ({ actor, askedBy, at: when, comment }: Verdict) => ({
  actor,
  askedBy: askedBy ?? null,
  at: when,
  comment,
})

const example = exampleFixRequest('approved')
const exampleContent = {
  commits: exampleFixInput.commitHashes,
  pullRequests: exampleFixInput.pullRequestNumbers,
  ticketId: exampleFixInput.ticketId,
}
const exampleHash = createHash('sha256').update(JSON.stringify(exampleContent)).digest('hex')

/** The late changes of a release, with what their approvals are bound to. */
export const evidence: NonNullable<PresentationExtension['evidence']> = {
  schema: { fixes: list('Its fix requests, newest first.', EvidenceFix, 1000) },
  async of(scope, { id: releaseId }) {
    const requests = await listFixRequests(scope, releaseId)
    const fixes = requests.map((request) => ({
      id: request.id,
      title: request.title,
      status: request.status,
      requester: request.requester,
      requiredApprovals: request.requiredApprovals,
      content: boundContent(request),
      contentHash: contentHash(request),
      approvals: request.approvals.map((each) => ({
        ...shownVerdict(each),
        approvedHash: each.hash,
      })),
      rejections: request.rejections.map(shownVerdict),
      picks: Object.entries(request.picks).map(([commitHash, { state, pickedAs = null }]) => ({
        commitHash,
        state,
        pickedAs,
      })),
      formFields: request.formFields,
      createdAt: request.createdAt,
      approvedAt: request.approvedAt,
      rejectedAt: request.rejectedAt,
      mergedAt: request.mergedAt,
    }))
    return { fixes }
  },
  example: {
    fixes: [
      {
        id: example.id,
        title: example.title,
        status: example.status,
        requester: ADA_ACTING,
        requiredApprovals: 1,
        content: exampleContent,
        contentHash: exampleHash,
        approvals: [
          {
            actor: GRACE_ACTING,
            askedBy: null,
            at: example.approvedAt,
            comment: null,
            approvedHash: exampleHash,
          },
        ],
        rejections: [],
        picks: [],
        formFields: example.formFields,
        createdAt: example.createdAt,
        approvedAt: example.approvedAt,
        rejectedAt: null,
        mergedAt: null,
      },
    ],
  },
}
