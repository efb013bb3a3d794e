import { as, of, select, variants } from '#foundation/core/database/statement'
import { optional, text, type RowOf } from '#foundation/core/database/table'
import type { PageRequest } from '#foundation/api/pages'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { publicReleaseId } from '#releases/names/public_release_id'
import { triageIssues } from '../tables.js'
import type { TriageIssueEntity } from '../triage/triage_entities.js'
import type { TriageIssueSource, TriageStatus } from '../vocabulary.js'

/** An issue, with the version that its release has now. */
type TriageIssueRow = RowOf<typeof triageIssues> & { releaseVersion: string | null }

const ISSUES = select(
  { ...of(triageIssues, 'i'), releaseVersion: as(optional(text()), 'r.version') },
  `from triage_issues i left join releases r on r.id = i.release_id
  where i.organization_id = :org and i.app_id = :appId`
)
const issuesWith = variants(ISSUES, '')
const ONE = issuesWith('and i.id = :id')

const ORIGINS = select(
  { origin: as(text(), 'i.origin') },
  `from triage_issues i where i.organization_id = :org and i.app_id = :appId
    and substr(i.origin, 1, :length) = :begins order by i.created_at desc, i.id desc limit 5000`
)

/** The filters for issues of an app. */
interface TriageIssueFilters {
  source?: TriageIssueSource
  status?: TriageStatus
  /** Internal id of the release that they were seen in. */
  releaseInternalId?: string
}

export const triageIssueKeys = ({ createdAt, id }: TriageIssueRow) => [createdAt, id]

/** Returns issues of an app, newest first. */
export function listTriageIssues(
  scope: Scope,
  appId: string,
  { source, status, releaseInternalId }: TriageIssueFilters,
  { limit, after }: PageRequest
): Promise<TriageIssueRow[]> {
  const [lastCreatedAt, lastId] = after ?? []
  const conditions = [
    ...(source ? ['and i.source = :source'] : []),
    ...(status ? ['and i.status = :status'] : []),
    ...(releaseInternalId ? ['and i.release_id = :releaseInternalId'] : []),
    ...(after ? ['and (i.created_at, i.id) < (:lastCreatedAt, :lastId)'] : []),
    'order by i.created_at desc, i.id desc limit :limit',
  ]
  return scope.rows(issuesWith(conditions.join(' ')), {
    appId,
    limit,
    ...(source && { source }),
    ...(status && { status }),
    ...(releaseInternalId && { releaseInternalId }),
    ...(after && { lastCreatedAt, lastId }),
  })
}

/** Returns the newest origins of an app's issues with a prefix. */
export async function knownOrigins(
  scope: Scope,
  appId: string,
  begins: string
): Promise<ReadonlySet<string>> {
  const rows = await scope.rows(ORIGINS, { appId, begins, length: begins.length })
  return new Set(rows.map(({ origin }) => origin))
}

/** @throws not_found when the app has no such issue */
export async function findTriageIssue(
  scope: Scope,
  appId: string,
  id: string
): Promise<TriageIssueRow> {
  const [issue] = await scope.rows(ONE, { appId, id })
  if (!issue) throw refuse('not_found')
  return issue
}

/** Returns an issue as the API shows it. */
export function triageIssueEntity(issue: TriageIssueRow): TriageIssueEntity {
  const { appId, releaseVersion: version } = issue
  return {
    id: issue.id,
    appId,
    title: issue.title,
    description: issue.description,
    source: issue.source,
    sourceUrl: issue.sourceUrl,
    severity: issue.severity,
    status: issue.status,
    affectedVersions: issue.affectedVersions,
    releaseId: version === null ? null : publicReleaseId({ appId, version }),
    metrics: issue.metrics,
    fixRequestId: issue.fixRequestId,
    createdAt: issue.createdAt,
    updatedAt: issue.updatedAt,
  }
}
