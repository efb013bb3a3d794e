import { select } from '#foundation/core/database/reader'
import type { Scope } from '#foundation/core/scope'
import { sameActor } from '#organizations/queries/same_actor'
import { approvedContentHash, authorsOf, contentToApprove } from '#releases/approved_content'
import type { ItemFacts } from '#releases/engine/facts'
import type Release from '#releases/models/release'
import type { StepRow } from '#releases/queries/load_facts'
import { rulesOf, statusByVotes, type ApprovalRules, type Vote } from '../approvals.js'
import { releaseItems } from '../queries/release_items.js'
import { recordApproval } from '../record.js'
import type { ItemStatus } from '../vocabulary.js'
import { isMove, writeStatuses, type StatusChange } from './write_statuses.js'

/** What is left of the votes on an approval, and what follows. */
interface Correction {
  votes: Vote[]
  status: ItemStatus
  told: Record<string, unknown>
}

interface VotedRow {
  item_id: string
  status: ItemStatus
  settings: string
  votes: string
}

const VOTED = select(
  ['item_id', 'status', 'settings', 'votes'],
  `from release_items
  where organization_id = :org and release_id = :releaseId
    and kind = 'approval' and votes <> '[]'`
)

/**
 * Lets approvals of an open release fall that were given for other content than it has now,
 * and counts the others anew where an edit of the item changed its rules. Comments stay.
 *
 * @param items as they are stored.
 * @returns whether any item changed.
 */
export async function keepApprovalsTrue(
  scope: Scope,
  release: Release,
  steps: readonly StepRow[],
  items: readonly ItemFacts[]
): Promise<boolean> {
  if (release.status === 'completed' || release.status === 'skipped') return false
  const hasVotes = items.some(
    ({ approvals }) => approvals && approvals.missing < approvals.required
  )
  if (!hasVotes) return false
  const corrections = await findCorrections(scope, release, steps)
  if (corrections.size === 0) return false

  const placed = await releaseItems(scope, release, { itemIds: [...corrections.keys()] })
  const changes = placed.map((item): StatusChange => ({ item, ...corrections.get(item.item.id)! }))
  for (const change of changes.filter((each) => !isMove(each))) {
    const { item } = change.item
    recordApproval(scope, release, {
      type: 'approval.withdrawn',
      title: `Approvals of ${item.title} do not count any more`,
      item,
      told: change.told!,
    })
  }
  await writeStatuses(scope, release, changes)
  return true
}

async function findCorrections(scope: Scope, release: Release, steps: readonly StepRow[]) {
  const rows = await scope.read<VotedRow>(VOTED, { releaseId: release.id })
  const hash = approvedContentHash(contentToApprove(steps))
  const isAuthor = await authorship(scope, release, steps, rows)
  const corrections = new Map<string, Correction>()
  for (const row of rows) {
    const rules = rulesOf(JSON.parse(row.settings) as Partial<ApprovalRules>)
    const given = JSON.parse(row.votes) as Vote[]
    const current = given.filter((vote) => vote.hash === hash)
    const votes = current.filter((vote) => vote.brokenGlass || !rules.fourEyes || !isAuthor(vote))
    const status = statusByVotes(rules, votes)
    if (votes.length === given.length && status === row.status) continue
    const reason = current.length < given.length ? 'contentChanged' : 'rulesChanged'
    const told = status === 'approved' ? { reason } : { approvalFell: { reason } }
    corrections.set(row.item_id, { votes, status, told })
  }
  return corrections
}

/** Tells the votes of authors, where any item asks for four eyes. */
async function authorship(
  scope: Scope,
  release: Release,
  steps: readonly StepRow[],
  rows: readonly VotedRow[]
): Promise<(vote: Vote) => boolean> {
  if (!rows.some(({ settings }) => rulesOf(JSON.parse(settings)).fourEyes)) return () => false
  const authors = authorsOf(release, steps)
  const same = await sameActor(scope)
  return ({ actor, askedBy = actor }) =>
    authors.some((author) => same(author.actor, actor) || same(author.actor, askedBy))
}
