import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type { SeenCommit } from '../code/commit_line.js'
import { releaseCommits } from '../tables.js'

const COMMITS = select(
  of(releaseCommits, 'c', [
    'side',
    'hash',
    'place',
    'message',
    'author',
    'committedAt',
    'url',
    'parents',
    'tickets',
    'pickedFrom',
    'reverts',
    'pullRequest',
    'patchId',
  ]),
  `from release_commits c where c.organization_id = :org and c.release_id = :releaseId
  order by c.side, c.place`
)

/** The commits that are kept of a release, oldest first on each side. */
export function seenCommits(scope: Scope, releaseId: string): Promise<SeenCommit[]> {
  return scope.rows(COMMITS, { releaseId })
}
