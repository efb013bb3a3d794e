import { as, of, select } from '#foundation/core/database/statement'
import { text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { releaseCommits } from '../tables.js'
import { namesOfTicket } from './ticket_names.js'

const COMMITS = {
  ...of(releaseCommits, 'c', ['releaseId', 'side', 'hash', 'message', 'author', 'committedAt']),
  pickedFrom: as(releaseCommits.columns.pickedFrom, 'c.picked_from'),
  textKey: as(releaseCommits.columns.textKey, 'c.text_key'),
  patchId: as(releaseCommits.columns.patchId, 'c.patch_id'),
  pullRequest: as(releaseCommits.columns.pullRequest, 'c.pull_request'),
}
const FROM = 'from release_commits c where c.organization_id = :org and c.app_id = :appId'
/** A prefix of a hash selects a range, which an index finds. */
const BY_HASH = select(COMMITS, `${FROM} and c.hash >= :from and c.hash < :below limit 200`)
const BY_HASHES = select(COMMITS, `${FROM} and c.hash in json(:hashes) limit 200`)
/** By author and message: a pick that does not name its origin. */
const BY_TEXT = select(COMMITS, `${FROM} and c.text_key in json(:textKeys) limit 200`)
/** With the same change: another such pick. */
const BY_PATCH = select(COMMITS, `${FROM} and c.patch_id in json(:patches) limit 200`)
const BY_ORIGIN = select(COMMITS, `${FROM} and c.origin in json(:hashes) limit 200`)
/** Several picks in one commit; there are few. */
const BY_MORE_ORIGINS = select(
  COMMITS,
  `${FROM} and c.more_origins is not null and c.more_origins like :pattern limit 200`
)
const BY_PULL = select(COMMITS, `${FROM} and c.pull_request = :pull limit 200`)
/** Within one repository, if the repository of a release is known. */
const BY_PULL_OF = select(
  COMMITS,
  `${FROM} and c.pull_request = :pull and not exists (
    select 1 from release_features f where f.release_id = c.release_id
      and f.repository <> :repository) limit 200`
)
const BY_ITEM = select(
  { code: as(text(), 'i.code') },
  `from feature_items i where i.organization_id = :org and i.app_id = :appId
    and i.item_key in json(:keys) and i.is_gone = false limit 200`
)
const TRACKERS = select(
  { id: as(text(), 'i.id') },
  `from integrations i where i.organization_id = :org and i.app_id = :appId
    and i.kind = 'issueTracking'`
)

/** Most commits with a named prefix that are looked up among picks of several commits. */
const MAX_NAMED = 5

/** A change as somebody names it. */
export type NamedChange =
  | { commit: string }
  /** A repository (`repositoryOf`); null for any. */
  | { pullRequest: number; repository: string | null }
  | { ticket: string }

/** A commit of a change, and the release in whose range it was seen. */
export interface FoundCommit {
  releaseId: string
  side: 'release' | 'working'
  hash: string
  message: string
  author: string
  committedAt: string
  pickedFrom: string[]
  textKey: string | null
  patchId: string | null
  pullRequest: number | null
}

/** Returns the observed commits of an app that make up a change. */
export async function findChange(
  scope: Scope,
  appId: string,
  change: NamedChange
): Promise<FoundCommit[]> {
  if ('commit' in change) {
    const from = change.commit.toLowerCase()
    // The upper bound of a prefix: `g` follows every hexadecimal digit.
    const named = await scope.rows(BY_HASH, { appId, from, below: `${from}g` })
    const first = named.flatMap(({ pickedFrom }) => pickedFrom)
    const origins = await scope.rows(BY_HASHES, { appId, hashes: JSON.stringify(first) })
    const hashes = JSON.stringify([...first, ...named.map(({ hash }) => hash)])
    const picks = await scope.rows(BY_ORIGIN, { appId, hashes })
    const isWhole = from.length >= 40
    const names = new Set([...(isWhole ? [from] : []), ...named.map(({ hash }) => hash)])
    for (const hash of [...names].slice(0, MAX_NAMED)) {
      picks.push(...(await scope.rows(BY_MORE_ORIGINS, { appId, pattern: `%"${hash}"%` })))
    }
    return withUnreportedPicks(scope, appId, [...named, ...origins, ...picks])
  }
  if ('pullRequest' in change) {
    const { pullRequest: pull, repository } = change
    const merged =
      repository === null
        ? await scope.rows(BY_PULL, { appId, pull })
        : await scope.rows(BY_PULL_OF, { appId, pull, repository })
    return withUnreportedPicks(scope, appId, merged)
  }
  const trackers = await scope.rows(TRACKERS, { appId })
  const names = await namesOfTicket(scope, appId, change.ticket)
  const keys = trackers.flatMap(({ id }) => names.map((name) => `ticket:${id}:${name}`))
  const items = await scope.rows(BY_ITEM, { appId, keys: JSON.stringify(keys) })
  const hashes = items.flatMap(({ code }) =>
    (JSON.parse(code) as { hash?: string }[]).flatMap(({ hash }) => hash ?? [])
  )
  const commits = await scope.rows(BY_HASHES, { appId, hashes: JSON.stringify(hashes) })
  return withUnreportedPicks(scope, appId, commits)
}

/**
 * Returns commits with their cherry-picks that do not name them. Two commits of one branch are two
 * changes, even with the same message.
 */
async function withUnreportedPicks(
  scope: Scope,
  appId: string,
  commits: readonly FoundCommit[]
): Promise<FoundCommit[]> {
  const placeOf = ({ releaseId, side }: FoundCommit) => `${releaseId} ${side}`
  const places = new Set(commits.map(placeOf))
  const textKeys = [...new Set(commits.flatMap(({ textKey }) => textKey ?? []))]
  const alike =
    textKeys.length === 0
      ? []
      : await scope.rows(BY_TEXT, { appId, textKeys: JSON.stringify(textKeys) })
  alike.push(...(await withSameChange(scope, appId, commits)))
  return distinct([...commits, ...alike.filter((each) => !places.has(placeOf(each)))])
}

/** Returns commits with the same patch, in any release. */
async function withSameChange(
  scope: Scope,
  appId: string,
  commits: readonly FoundCommit[]
): Promise<FoundCommit[]> {
  const patches = [...new Set(commits.flatMap(({ patchId }) => patchId ?? []))]
  if (patches.length === 0) return []
  const found = await scope.rows(BY_PATCH, { appId, patches: JSON.stringify(patches) })
  // A patch id may have been read in one release alone, so the same hashes are looked up in all.
  const hashes = JSON.stringify(found.map(({ hash }) => hash))
  return [...found, ...(await scope.rows(BY_HASHES, { appId, hashes }))]
}

function distinct(commits: readonly FoundCommit[]): FoundCommit[] {
  const seen = new Map(commits.map((each) => [`${each.releaseId} ${each.side} ${each.hash}`, each]))
  return [...seen.values()]
}
