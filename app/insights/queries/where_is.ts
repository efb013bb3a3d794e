import { compareTexts } from '../../foundation/core/compare_texts.js'
import { findApp } from '#apps/queries/find_app'
import { apps } from '#apps/tables'
import { placesOf } from '#features/queries/change_holders'
import { findChange, type FoundCommit, type NamedChange } from '#features/queries/find_change'
import { repositoriesOf } from '#features/queries/release_features'
import { seenPulls } from '#features/queries/seen_pulls'
import { repositoryOf } from '#integrations/queries/app_integrations'
import { of, select } from '#foundation/core/database/statement'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { publicReleaseId } from '#releases/names/public_release_id'
import type { WhereIsQuery } from '../validators.js'
import type { WhereIsEntity } from '../where_is_entities.js'
import { buildsWith } from './builds_with.js'
import { sharesOf } from './shares.js'

const GROUP = select(
  of(apps, 'a', ['id', 'platform']),
  `from apps a where a.organization_id = :org
    and (a.id = :appId or a.app_group = :appGroup) order by a.id limit 200`
)
/**
 * Finds where a change is from the last known state of repositories and builds. It calls no
 * provider.
 * @throws invalid_input, not_found
 */
export async function whereIs(
  scope: Scope,
  appId: string,
  query: WhereIsQuery
): Promise<WhereIsEntity> {
  const change = requireOne(query, await repositoryOf(scope, appId))
  const { appGroup } = await findApp(scope, appId)
  const group = await scope.rows(GROUP, { appId, appGroup: appGroup ?? '' })
  const shown = []
  for (const app of group.filter(({ id }) => scope.sees(id))) {
    const commits = await findChange(scope, app.id, change)
    if (commits.length === 0) continue
    const places = await placesOf(scope, app.id, commits)
    const { holders } = places
    shown.push({
      appId: app.id,
      platform: app.platform,
      commits: shownCommits(commits),
      pullRequests: await shownPulls(scope, app.id, commits),
      releases: holders.map(({ id: _, version, ...holder }) => ({
        releaseId: publicReleaseId({ appId: app.id, version }),
        version,
        ...holder,
      })),
      builds: await buildsWith(scope, app.id, places),
      share: {
        ...(await sharesOf(scope, app.id, new Set(holders.map(({ version }) => version)))),
        since: holders.flatMap(({ releasedAt }) => releasedAt ?? []).sort()[0] ?? null,
      },
    })
  }
  if (shown.length === 0) {
    throw refuse('not_found', { detail: 'No release is known to contain such a change.' })
  }
  const { commit = null, pullRequest = null, ticket = null } = query
  return { commit, pullRequest, ticket, apps: shown } as WhereIsEntity
}

/** @throws invalid_input */
function requireOne(
  { commit, pullRequest, ticket }: WhereIsQuery,
  repository: string | null
): NamedChange {
  const named = [
    ...(commit === undefined ? [] : [{ commit }]),
    ...(pullRequest === undefined ? [] : [{ pullRequest, repository }]),
    ...(ticket === undefined ? [] : [{ ticket }]),
  ]
  if (named.length === 1) return named[0]
  const message = 'Give one of commit, pullRequest and ticket.'
  throw refuse('invalid_input', { errors: [{ parameter: 'commit', code: 'one_of', message }] })
}

/** Returns the pull requests that the commits refer to, as last read from their host. */
async function shownPulls(scope: Scope, appId: string, commits: readonly FoundCommit[]) {
  const ids = commits.map(({ releaseId }) => releaseId)
  const repositories = await repositoriesOf(scope, ids)
  const numbersOf = new Map<string | null, Set<number>>()
  for (const { releaseId, pullRequest } of commits) {
    const repository = repositories.get(releaseId) ?? null
    const numbers = numbersOf.get(repository) ?? new Set()
    if (pullRequest !== null) numbersOf.set(repository, numbers.add(pullRequest))
  }
  const shown = []
  for (const [repository, numbers] of numbersOf) {
    const pulls = await seenPulls(scope, { appId, repository }, numbers)
    for (const number of numbers) {
      const { title = null, url = null, author = null, mergedAt = null } = pulls.get(number) ?? {}
      shown.push({ number, title, url, author, mergedAt })
    }
  }
  return shown.sort((one, other) => one.number - other.number)
}

function shownCommits(commits: readonly FoundCommit[]) {
  const byHash = new Map(commits.map((each) => [each.hash, each]))
  return [...byHash.values()]
    .map(({ hash, message, author, committedAt }) => ({ hash, message, author, committedAt }))
    .sort((one, other) => compareTexts(one.committedAt, other.committedAt))
}
