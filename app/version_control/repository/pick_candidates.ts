import type { Static } from '@sinclair/typebox'
import type { PartialRows, PageRequest } from '#foundation/api/pages'
import { refuse, refuseFields } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { pagesOf } from '#integrations/every_page'
import type { Commit, VersionControl } from '#plugin-kit/capabilities/source'
import { isProviderError } from '#plugin-kit/provider_error'
import type { CherryPickCandidateCommit } from '../entities.js'
import { stateOf } from '#releases/preconditions/state_of'
import { readRelease } from '#releases/queries/read_release'
import { askRepository, type AppRepository } from './app_repository.js'
import { gather, type Gathered } from './gather.js'

type Entity = Static<typeof CherryPickCandidateCommit>

/** Pages of the release's own commits that are looked through for picks. */
const MAX_PAGES = 10
const SHORT_HASH = 8
const PICKED = /\(cherry picked from commit ([0-9a-f]{40,64})\)/g

/** The two refs to compare: `base` lacks the commits, `head` has them. */
interface Range {
  base: string
  head: string
}

/**
 * Returns the refs of a request: the named branch, or the app's working branch, compared with a
 * release or a tag.
 * @throws invalid_input, not_found, release_not_kicked_off
 */
export async function rangeOf(
  scope: Scope,
  { app, branches }: AppRepository,
  query: { releaseId?: string; baseTag?: string; branch?: string }
): Promise<Range> {
  const head = query.branch ?? branches?.workingBranch
  if (!head) {
    throw refuseParameter('branch', 'required', 'The app names no working branch: name a branch.')
  }
  if ((query.releaseId === undefined) === (query.baseTag === undefined)) {
    throw refuseParameter('releaseId', 'one_of', 'Name either a release or a base tag.')
  }
  if (query.baseTag !== undefined) return { base: query.baseTag, head }
  const { release } = await readRelease(scope, app.id, query.releaseId!)
  const base = release.releaseBranch ?? release.baseTag?.name
  if (base) return { base, head }
  throw refuse('release_not_kicked_off', {
    detail: `The release ${release.version} has no branch yet.`,
    ...stateOf(release),
  })
}

function refuseParameter(parameter: string, code: string, message: string) {
  return refuseFields([{ parameter, code, message }])
}

interface CandidateQuery extends PageRequest {
  q?: string
}

/** A page of candidates, the hashes that the base has picked before, and pull requests by hash. */
export interface Candidates extends PartialRows<Gathered<Commit>> {
  picked: ReadonlySet<string>
  pullRequests: ReadonlyMap<string, Entity['pullRequest']>
}

/**
 * Returns the commits of the head that the base lacks, newest first.
 * @throws provider_error; invalid_input for names that version control does not know;
 *   invalid_cursor when the commit that the last page ended with is not among them any more
 */
export function listPickCandidates(
  scope: Scope,
  repository: AppRepository,
  range: Range,
  { q = '', limit, after }: CandidateQuery
): Promise<Candidates> {
  const [from, last] = (after ?? ['', '']) as [string, string]
  let isBehind = last === ''
  return askRepository(scope, repository, async (versionControl) => {
    const compare = (base: string, head: string) => (cursor?: string) =>
      versionControl.compare(base, head, cursor).catch((error: unknown) => {
        throw unknownName(error, range)
      })
    const { rows, cursor } = await gather(compare(range.base, range.head), {
      from,
      limit,
      isWanted: (commit) => {
        const wasBehind = isBehind
        isBehind ||= commit.sha === last
        return wasBehind && matches(commit, q)
      },
    })
    if (!isBehind) throw refuse('invalid_cursor', { detail: 'The commits have changed since.' })
    const picked = await pickedBefore(compare(range.head, range.base))
    const pullRequests = await pullRequestsOf(versionControl, rows)
    const nextKeys = cursor === null ? null : [cursor, '']
    return { rows, nextKeys, picked, pullRequests }
  })
}

/** Returns the sort keys of a candidate. */
export const candidateKeys = ({ item, cursor }: Gathered<Commit>) => [cursor, item.sha]

/** Turns a provider's error about an unknown name into an error of the request. */
function unknownName(error: unknown, { base, head }: Range): unknown {
  if (!isProviderError(error)) return error
  const isName = error.code === 'invalid' && error.detail.reason === 'name'
  const isUnknown =
    error.code === 'notFound' && ['branch', 'commit'].includes(error.detail.reason ?? '')
  if (!isName && !isUnknown) return error
  const message = `Version control does not know one of ${base} and ${head}: ${error.message}.`
  return refuseParameter('branch', 'unknown', message)
}

function matches({ message, sha, author }: Commit, q: string): boolean {
  const wanted = q.toLowerCase()
  return [message, sha, author].some((each) => each.toLowerCase().includes(wanted))
}

/** Returns the hashes that commits of the base name as their origins. */
async function pickedBefore(
  read: (cursor?: string) => Promise<{ items: Commit[]; next?: string }>
): Promise<Set<string>> {
  const picked = new Set<string>()
  for await (const commits of pagesOf(read, MAX_PAGES)) {
    for (const { message } of commits) {
      for (const [, sha] of message.matchAll(PICKED)) picked.add(sha)
    }
  }
  return picked
}

async function pullRequestsOf(versionControl: VersionControl, rows: readonly Gathered<Commit>[]) {
  const found = new Map<string, Entity['pullRequest']>()
  if (!versionControl.pullRequestsForCommit) return found
  for (const { item } of rows) {
    const [first] = await versionControl.pullRequestsForCommit(item.sha)
    if (first) {
      const { number, title, url = null } = first
      found.set(item.sha, { number, title, url })
    }
  }
  return found
}

/** Returns a commit as the API shows it. */
export function pickCandidate(
  { item }: Gathered<Commit>,
  { picked, pullRequests }: Pick<Candidates, 'picked' | 'pullRequests'>
): Entity {
  const { sha, message, author, email, at, url } = item
  return {
    hash: sha,
    shortHash: sha.slice(0, SHORT_HASH),
    message,
    author: { name: author.slice(0, 500), email: email?.slice(0, 500) ?? null },
    committedAt: at,
    url: url ?? null,
    pullRequest: pullRequests.get(sha) ?? null,
    alreadyInRelease: picked.has(sha),
  }
}
