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
 * Withdraws votes in an open release that were given for other content than it has now, and derives
 * the status of approvals again whose rules were edited. Comments stay.
 *
 * @param items as they are stored
 * @returns whether any item changed
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

/**
 * Writes the remaining votes and the status of approvals, by item id. Where the status does not
 * change, the timeline records the withdrawal.
 */
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
      title: `Approvals of ${item.title} no longer count`,
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
    const current = row.votes.filter((vote) => vote.hash === hash)
    const votes = current.filter((vote) => vote.brokenGlass || !rules.fourEyes || !isAuthor(vote))
    const status = statusByVotes(rules, votes)
    if (votes.length === row.votes.length && status === row.status) continue
    const reason = current.length < row.votes.length ? 'contentChanged' : 'rulesChanged'
    const details = status === 'approved' ? { reason } : { approvalFell: { reason } }
    corrections.set(row.itemId, { votes, status, details })
  }
  return corrections
}

/** Returns a predicate for votes of authors. Without four eyes it is not needed and always false. */
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
