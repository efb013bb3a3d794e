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
  words,
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
  actor: described('Who said it.', ActorEntity),
  askedBy: nullable(described('The key that spoke for them; null for none.', ActorEntity)),
  at: instant('When, in UTC.'),
  comment: nullable(text('In which words; null without any.', 10_000)),
}
const at = (what: string) => nullable(instant(`When it was ${what}, in UTC; null unless it was.`))

const EvidenceFix = entity('EvidenceFix', 'A late change: who asked, who agreed to what.', {
  id: id('Id of the fix request.'),
  title: nonEmpty('What was to be fixed.', 200),
  status: words(FIX_STATUSES, 'What has become of it.'),
  requester: described('Who asked for it.', ActorEntity),
  requiredApprovals: count('How many people had to approve it.'),
  ...boundTo(
    'What approvals are for: the code and the ticket that it brings in.',
    object('Code and ticket.', {
      commits: list('Hashes of commits.', nonEmpty('A hash.', 64), MAX_COMMITS),
      pullRequests: list(
        'Numbers of pull requests.',
        Type.Integer({ description: 'A number.', minimum: 1 }),
        MAX_PULL_REQUESTS
      ),
      ticketId: nullable(nonEmpty('The ticket; null for none.', 200)),
      wayIn: Type.Optional(
        words(['backMerge'], 'That the whole working branch comes with it; absent if it does not.')
      ),
      mergeHead: Type.Optional(
        nonEmpty('The commit up to which it comes; absent if that is not known.', 64)
      ),
    })
  ),
  approvals: list('Who approved it.', object('A yes.', { ...verdict, approvedHash }), 100),
  rejections: list('Who rejected it.', object('A no.', verdict), 100),
  picks: list(
    'What became of commits that were to be picked.',
    object('A commit.', {
      commitHash: nonEmpty('The commit.', 64),
      state: nonEmpty('What became of it.', 32),
      pickedAs: nullable(nonEmpty('Its hash on the branch; null without one.', 64)),
    }),
    10_000
  ),
  formFields: list('What the form was filled in with.', FixRequestFormFieldValue, MAX_FORM_FIELDS),
  createdAt: instant('When it was asked for, in UTC.'),
  approvedAt: at('approved'),
  rejectedAt: at('rejected'),
  mergedAt: at('seen whole in the release branch'),
})

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
