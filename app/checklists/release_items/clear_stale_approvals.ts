import { of, select, type RowOfSelect } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { sameActor } from '#organizations/queries/same_actor'
import { approvedContent } from '#releases/approvals/approved_content'
import type { ItemFacts } from '#releases/engine/facts'
import type Release from '#releases/models/release'
import { isEnded } from '#releases/lifecycle/open_releases'
import type { Author } from '#releases/extensions'
import type { StepRow } from '#releases/queries/step_rows'
import { rulesOf, statusByVotes, type Vote } from '../approvals/approvals.js'
import { findReleaseItems } from '../queries/find_release_items.js'
import { recordApproval } from './record_item_event.js'
import { releaseItems } from '../tables.js'
import type { ItemStatus } from '#releases/vocabulary'
import { changesStatus, writeStatuses, type StatusChange } from './write_statuses.js'

/** The remaining votes of an approval, and the resulting status. */
interface Correction {
  votes: Vote[]
  status: ItemStatus
  details: Record<string, unknown>
}

const VOTED = select(
  of(releaseItems, 'i', ['itemId', 'status', 'settings', 'votes']),
  `from release_items i
  where i.organization_id = :org and i.release_id = :releaseId
    and i.kind = 'approval' and i.votes <> '[]'`
)
type VotedRow = RowOfSelect<typeof VOTED>

/**
 * Lets approvals of an open release fall that were given for other content than it has now,
 * and counts the others anew where an edit of the item changed its rules. Comments stay.
 *
 * @param items as they are stored.
 * @returns whether any item changed.
 */
export async function clearStaleApprovals(
  scope: Scope,
  release: Release,
  steps: readonly StepRow[],
  items: readonly ItemFacts[]
): Promise<boolean> {
  if (isEnded(release)) return false
  const hasVotes = items.some(
    ({ approvals }) => approvals && approvals.missing < approvals.required
  )
  if (!hasVotes) return false
  const corrections = await findCorrections(scope, release, steps)
  if (corrections.size === 0) return false
  await correctApprovals(scope, release, corrections)
  return true
}

/** Writes what is left of some approvals, by item, and says so where the status stays. */
export async function correctApprovals(
  scope: Scope,
  release: Release,
  corrections: ReadonlyMap<string, Correction>
): Promise<void> {
  const voted = await findReleaseItems(scope, release, { itemIds: [...corrections.keys()] })
  const changes = voted.map((each): StatusChange => ({
    current: each,
    ...corrections.get(each.item.id)!,
  }))
  for (const change of changes.filter((each) => !changesStatus(each))) {
    const { item } = change.current
    recordApproval(scope, release, {
      type: 'approval.withdrawn',
      title: `Approvals of ${item.title} do not count any more`,
      item,
      details: change.details!,
    })
  }
  await writeStatuses(scope, release, changes)
}

async function findCorrections(scope: Scope, release: Release, steps: readonly StepRow[]) {
  const rows = await scope.rows(VOTED, { releaseId: release.id })
  const { hash, authors } = approvedContent(release, steps)
  const isAuthor = await authorship(scope, authors, rows)
  const corrections = new Map<string, Correction>()
  for (const row of rows) {
    const rules = rulesOf(row.settings)
    const given = row.votes
    const current = given.filter((vote) => vote.hash === hash)
    const votes = current.filter((vote) => vote.brokenGlass || !rules.fourEyes || !isAuthor(vote))
    const status = statusByVotes(rules, votes)
    if (votes.length === given.length && status === row.status) continue
    const reason = current.length < given.length ? 'contentChanged' : 'rulesChanged'
    const details = status === 'approved' ? { reason } : { approvalFell: { reason } }
    corrections.set(row.itemId, { votes, status, details })
  }
  return corrections
}

/** Looks up which votes come from authors, if any item requires four eyes. */
async function authorship(
  scope: Scope,
  authors: readonly Author[],
  rows: readonly VotedRow[]
): Promise<(vote: Vote) => boolean> {
  if (!rows.some(({ settings }) => rulesOf(settings).fourEyes)) return () => false
  const same = await sameActor(scope)
  return ({ actor, askedBy = actor }) =>
    authors.some((author) => same(author.actor, actor) || same(author.actor, askedBy))
}
