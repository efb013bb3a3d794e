import { compareTexts } from '../../foundation/core/compare_texts.js'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
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
    and (c.side, c.hash) > (:side, :hash)
  order by c.side, c.hash limit :limit`
)

/** Commits read before the thread is yielded. */
const PER_TURN = 500

/** Returns the stored commits of a release, oldest first on each side. */
export async function seenCommits(scope: Scope, releaseId: string): Promise<SeenCommit[]> {
  const commits: SeenCommit[] = []
  let found: SeenCommit[]
  do {
    const { side = '', hash = '' } = commits.at(-1) ?? {}
    found = await scope.rows(COMMITS, { releaseId, side, hash, limit: PER_TURN })
    for (const each of found) commits.push(each)
    await yieldToOthers()
  } while (found.length === PER_TURN)
  return commits.sort((one, other) =>
    one.side === other.side ? one.place - other.place : compareTexts(one.side, other.side)
  )
}
