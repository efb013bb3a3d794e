import { seenPulls, type SeenPull } from '#features/queries/seen_pulls'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { repositoryOf } from '#integrations/queries/app_integrations'
import type { FixRequestRow } from '../requests/fix_approvals.js'
import { fixRequests } from '../tables.js'

const PULLS = select(
  of(fixRequests, 'f', ['pullRequests', 'repository']),
  `from fix_requests f where f.organization_id = :org and f.release_id = :releaseId
    and f.pull_requests <> '[]'`
)

type Naming = Pick<FixRequestRow, 'pullRequests' | 'repository'>

/** Data of the pull requests that a request names. */
export interface NamedPulls {
  /** As their host last reported them, by number. */
  seen: ReadonlyMap<number, SeenPull>
  /** True if they belong to a repository that the app no longer has. */
  areElsewhere: boolean
}

/** Returns the pull requests that requests of one app name, each in its repository. */
export async function pullsAround(
  scope: Scope,
  appId: string,
  requests: readonly Naming[]
): Promise<(request: Naming) => NamedPulls> {
  const home = await repositoryOf(scope, appId)
  const isIn = ({ repository }: Naming, place: string | null) => (repository ?? home) === place
  const known = new Map<string | null, Map<number, SeenPull>>()
  for (const place of new Set(requests.map(({ repository }) => repository ?? home))) {
    const own = requests.filter((request) => isIn(request, place))
    const numbers = own.flatMap(({ pullRequests }) => pullRequests)
    known.set(place, await seenPulls(scope, { appId, repository: place }, numbers))
  }
  return (request) => ({
    seen: known.get(request.repository ?? home) ?? new Map(),
    areElsewhere: home !== null && request.pullRequests.length > 0 && !isIn(request, home),
  })
}

/** Returns the numbers of a repository's pull requests that requests of a release name. */
export async function pullsOfFixes(
  scope: Scope,
  releaseId: string,
  repository: string
): Promise<number[]> {
  const rows = await scope.rows(PULLS, { releaseId })
  return rows
    .filter((each) => (each.repository ?? repository) === repository)
    .flatMap(({ pullRequests }) => pullRequests)
}
