import { seenPulls, type SeenPull } from '#features/queries/seen_pulls'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { repositoryOf } from '#integrations/queries/app_integrations'
import type { FixRequestRow } from '../requests/fix_approvals.js'
import { fixRequests } from '../tables.js'

const NAMED_PULLS = select(
  of(fixRequests, 'f', ['pullRequests', 'repository']),
  `from fix_requests f where f.organization_id = :org and f.release_id = :releaseId
    and f.pull_requests <> '[]'`
)

/** The members of a fix request that name its pull requests. */
type NamingRequest = Pick<FixRequestRow, 'pullRequests' | 'repository'>

/** Data of the pull requests that a fix request names. */
export interface NamedPulls {
  /** As their host last reported them, by number. */
  seen: ReadonlyMap<number, SeenPull>
  /** True if they belong to a repository that the app no longer has. */
  areInFormerRepository: boolean
}

/** Loads the pull requests that fix requests of one app name, for lookup by fix request. */
export async function loadNamedPulls(
  scope: Scope,
  appId: string,
  requests: readonly NamingRequest[]
): Promise<(request: NamingRequest) => NamedPulls> {
  const current = await repositoryOf(scope, appId)
  const repositoryNamedBy = ({ repository }: NamingRequest) => repository ?? current
  const pulls = new Map<string | null, Map<number, SeenPull>>()
  for (const repository of new Set(requests.map(repositoryNamedBy))) {
    const numbers = requests
      .filter((request) => repositoryNamedBy(request) === repository)
      .flatMap(({ pullRequests }) => pullRequests)
    pulls.set(repository, await seenPulls(scope, { appId, repository }, numbers))
  }
  return (request) => ({
    seen: pulls.get(repositoryNamedBy(request)) ?? new Map(),
    areInFormerRepository:
      current !== null && request.pullRequests.length > 0 && repositoryNamedBy(request) !== current,
  })
}

/** Returns the numbers of a repository's pull requests that a release's fix requests name. */
export async function namedPullNumbers(
  scope: Scope,
  releaseId: string,
  repository: string
): Promise<number[]> {
  const rows = await scope.rows(NAMED_PULLS, { releaseId })
  return rows
    .filter((each) => (each.repository ?? repository) === repository)
    .flatMap(({ pullRequests }) => pullRequests)
}
