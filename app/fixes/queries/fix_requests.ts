import { as, of, select, variants } from '#foundation/core/database/statement'
import { integer } from '#foundation/core/database/table'
import type { Actor } from '#foundation/core/principal'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { peopleOf } from '#organizations/queries/people'
import type { FixRequestEntity, WebhookFixRequestEntity } from '../entities.js'
import { standingApprovals, type FixRequestRow } from '../requests/fix_approvals.js'
import FixRequest from '../models/fix_request.js'
import { fixRequests, type Verdict } from '../tables.js'
import type { FixStatus } from '../vocabulary.js'
import { waitsFor } from '../requests/waits_for.js'
import { loadNamedPulls } from './named_pulls.js'

const REQUESTS = select(
  of(fixRequests, 'f'),
  'from fix_requests f where f.organization_id = :org and f.release_id = :releaseId'
)
const requestsWith = variants(REQUESTS, 'order by f.created_at desc, f.id desc')
const ONE = requestsWith('and f.id = :id')
const COUNT = select(
  { count: as(integer(), 'count(*)') },
  'from fix_requests f where f.organization_id = :org and f.release_id = :releaseId'
)

/** Returns the requests of a release, by its internal id, newest first. */
export function listFixRequests(
  scope: Scope,
  releaseId: string,
  status?: FixStatus
): Promise<FixRequestRow[]> {
  if (status === undefined) return scope.rows(requestsWith(''), { releaseId })
  return scope.rows(requestsWith('and f.status = :status'), { releaseId, status })
}

/** @throws not_found when the release has no such request */
export async function readFixRequest(
  scope: Scope,
  releaseId: string,
  id: string
): Promise<FixRequestRow> {
  const [request] = await scope.rows(ONE, { releaseId, id })
  if (!request) throw refuse('not_found')
  return request
}

/**
 * Returns a request as a model, to be changed.
 * @throws not_found
 */
export async function findFixRequest(
  scope: Scope,
  releaseId: string,
  id: string
): Promise<FixRequest> {
  const request = await scope.query(FixRequest).where({ id, releaseId }).first()
  if (!request) throw refuse('not_found')
  return request
}

export async function countFixRequests(scope: Scope, releaseId: string): Promise<number> {
  const [{ count }] = await scope.rows(COUNT, { releaseId })
  return Number(count)
}

/**
 * Returns requests as the API shows them, in the given order.
 * @param releaseId public id of their release
 */
export async function fixRequestEntities(
  scope: Scope,
  releaseId: string,
  requests: readonly FixRequestRow[]
): Promise<FixRequestEntity[]> {
  const around = await aroundOf(scope, requests)
  return requests.map((request) => {
    const reported = reportedOf(request, around)
    const code = reported.workItem?.code ?? []
    return {
      ...reported,
      releaseId,
      commits: code.filter((each) => each.type === 'commit'),
      pullRequests: code.filter((each) => each.type === 'pullRequest'),
      formFields: request.formFields,
      fourEyes: request.fourEyes,
      wayIn: request.wayIn,
      mergesCommit: request.mergeHead,
      waitsFor: waitsFor(request, around.pullsOf(request)),
      failure: failureOf(request),
      stepRunId: request.stepRunId,
    }
  }) as FixRequestEntity[]
}

/** Returns a request as events show it. */
export async function reportedFixRequest(
  scope: Scope,
  request: FixRequestRow
): Promise<WebhookFixRequestEntity> {
  return reportedOf(request, await aroundOf(scope, [request])) as WebhookFixRequestEntity
}

/** Data around a request: people, and pull requests. */
interface Around {
  userOf: UserOf
  pullsOf: Awaited<ReturnType<typeof loadNamedPulls>>
}

/** Loads the data around requests of one app. */
async function aroundOf(scope: Scope, requests: readonly FixRequestRow[]): Promise<Around> {
  const [first] = requests
  return {
    userOf: await usersOf(scope, requests),
    pullsOf: await loadNamedPulls(scope, first?.appId ?? '', requests),
  }
}

type UserOf = (actor: Actor) => { id: string; email: string | null; name: string | null }

/**
 * Returns users with their present names; API keys and deleted users with their names at that time.
 */
async function usersOf(scope: Scope, requests: readonly FixRequestRow[]): Promise<UserOf> {
  const actors = requests.flatMap(({ requester, approvals, rejections }) => [
    requester,
    ...[...approvals, ...rejections].map(({ actor }) => actor),
  ])
  const ids = actors.flatMap(({ type, id }) => (type === 'user' && id ? [id] : []))
  const people = await peopleOf(scope, ids)
  return ({ id, name }) => people.get(id ?? '') ?? { id: id ?? name, email: null, name }
}

function reportedOf(request: FixRequestRow, { userOf, pullsOf }: Around) {
  const shownVerdicts = (verdicts: readonly Verdict[]) =>
    verdicts.map(({ actor, at }) => ({ user: userOf(actor), at }))
  return {
    id: request.id,
    status: request.status,
    title: request.title,
    description: request.description,
    requester: userOf(request.requester),
    approvals: shownVerdicts(standingApprovals(request)),
    rejections: shownVerdicts(request.rejections),
    requiredApprovals: request.requiredApprovals,
    workItem: workItemOf(request, pullsOf),
    triageIssueId: request.triageIssueId,
    createdAt: request.createdAt,
    approvedAt: request.approvedAt,
    rejectedAt: request.rejectedAt,
    mergedAt: request.mergedAt,
    rejectionReason: request.rejectionReason,
  }
}

const BAD = new Set(['conflict', 'failed', 'lost'])

/** Returns the first failed pick; null unless the request is left to a person. */
function failureOf({ status, picks }: FixRequestRow) {
  if (status !== 'failed') return null
  const bad = Object.entries(picks).find(([, { state }]) => BAD.has(state))
  if (!bad) return null
  const [commitHash, { reason = 'It could not be picked.', files = [] }] = bad
  return { commitHash, reason, files }
}

function workItemOf(request: FixRequestRow, pullsOf: Around['pullsOf']) {
  const { seen: pulls } = pullsOf(request)
  const { workItemId, ticketId, commits, pullRequests, status, picks } = request
  if (workItemId === null) return null
  const inRelease = status === 'merged'
  const isPicked = (hash: string) => ['picked', 'there'].includes(picks[hash]?.state ?? '')
  const code = [
    ...commits.map((commit) => ({
      type: 'commit' as const,
      ...commit,
      committedAt: null,
      inRelease: inRelease || isPicked(commit.hash),
    })),
    ...pullRequests.map((number) => ({
      type: 'pullRequest' as const,
      number,
      title: pulls.get(number)?.title ?? null,
      status: pulls.get(number)?.status ?? null,
      url: pulls.get(number)?.url ?? null,
      author: pulls.get(number)?.author ?? null,
      baseBranch: pulls.get(number)?.base ?? null,
      mergedAt: pulls.get(number)?.mergedAt ?? null,
    })),
  ]
  return {
    id: workItemId,
    ticket: ticketId === null ? null : unknownTicket(ticketId),
    code,
    codeStatus: code.length === 0 ? 'missing' : inRelease ? 'inRelease' : 'inProgress',
    codeType: pullRequests.length > 0 ? 'pullRequest' : commits.length > 0 ? 'commit' : null,
  }
}

/** Returns a ticket of which only the id is known. */
const unknownTicket = (id: string) => ({
  id,
  key: id,
  title: null,
  status: null,
  done: false,
  url: null,
  assignee: null,
  fixVersions: [],
})
