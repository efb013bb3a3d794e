import { isDeepStrictEqual } from 'node:util'
import { of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import type { StepRow } from '#releases/queries/step_rows'
import { RELEASE_TYPES } from '#workflow/vocabulary'
import { rulesOf } from '../approvals/approvals.js'
import { lostWords, memberChanges, reportedItem } from '../definitions/item_entries.js'
import { PositionList } from '../definitions/position_list.js'
import type { ItemOwner } from '../entities.js'
import { correctApprovals } from '../release_items/clear_stale_approvals.js'
import { addCopies, dropCopies } from '../release_items/store_copies.js'
import { reportItemChanges, type CopiedItems } from '../release_items/report_item_changes.js'
import { checklistItems, COPIED_MEMBERS, copiedMembers, releaseItems } from '../tables.js'
import { approvalsStep } from './approvals_step.js'
import type { StoredDemand } from './demand.js'

/** An approval that the service requires for a release. */
export interface DemandedApproval {
  title: string
  description: string
  /** The approvers; empty if anybody with the right may approve. */
  owners: ItemOwner[]
  demand: StoredDemand
}

const HELD = select(
  of(releaseItems, 'i', ['itemId', 'stepId', 'status', 'comment', 'votes', ...COPIED_MEMBERS]),
  `from release_items i where i.organization_id = :org and i.release_id = :releaseId
    and i.demand is not null order by i.position, i.item_id`
)
type Held = RowOfSelect<typeof HELD>

/**
 * Makes the demanded approvals of an open release match the wanted ones: adds missing items, updates
 * the texts of existing ones, and removes items that are no longer demanded, along with their votes
 * and comments. Votes are withdrawn when the changes that they approved differ.
 * @returns whether anything changed
 */
export async function storeRequiredItems(
  scope: Scope,
  release: Release,
  steps: readonly StepRow[],
  wanted: readonly DemandedApproval[]
): Promise<boolean> {
  const held = await scope.rows(HELD, { releaseId: release.id })
  const step = approvalsStep(steps)
  const missing = new Map(step === null ? [] : wanted.map((each) => [each.demand.key, each]))
  const reported: CopiedItems = { added: [], updated: [], removed: [] }
  const obsolete: Held[] = []
  let isUpdated = false
  for (const row of held) {
    const approval = missing.get(row.demand!.key)
    if (!approval) obsolete.push(row)
    else {
      missing.delete(row.demand!.key)
      const stepId = step?.id ?? row.stepId
      if (await update(scope, release, row, { ...approval, stepId }, reported)) isUpdated = true
    }
  }
  for (const row of obsolete) {
    const isTouched = row.status !== 'notStarted' || row.comment !== null || row.votes.length > 0
    const item = reportedItem({ ...row, id: row.itemId })
    reported.removed.push({
      ...item,
      stepId: row.stepId,
      ...(isTouched && { lost: lostWords(row) }),
    })
  }
  await remove(scope, release, obsolete)
  if (step !== null && missing.size > 0) {
    for (const item of await add(scope, release, step, [...missing.values()])) {
      reported.added.push({ ...reportedItem(item), stepId: step.id, oneOff: true })
    }
  }
  await reportItemChanges(scope, release, reported)
  return isUpdated || reported.added.length + reported.removed.length > 0
}

async function remove(scope: Scope, release: Release, rows: readonly Held[]): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ itemId }) => itemId)
  await dropCopies(scope, release, ids)
  await scope.update(checklistItems, { id: ids }, { deletedAt: scope.now, updatedAt: scope.now })
}

async function add(
  scope: Scope,
  release: Release,
  step: StepRow,
  approvals: readonly DemandedApproval[]
) {
  const { appId, id: releaseId } = release
  const placement = { stepConfigId: null, stepType: 'approvals' as const }
  const list = await PositionList.load(scope, { appId, releaseId, ...placement })
  const rows = approvals.map(({ title, description, owners, demand }) => {
    const id = newId('item')
    return {
      id,
      appId,
      kind: 'approval' as const,
      title,
      description,
      releaseTypes: [...RELEASE_TYPES],
      owners,
      required: true,
      notifyOnCompletion: true,
      position: list.place(id, undefined),
      settings: rulesOf({}),
      demand,
      ...placement,
      releaseId,
      createdBy: null,
      createdAt: scope.now,
      updatedAt: scope.now,
      deletedAt: null,
    }
  })
  await scope.insert(checklistItems, rows)
  await addCopies(
    scope,
    release,
    rows.map(({ id: itemId }) => ({ itemId, stepId: step.id }))
  )
  return rows
}

/** Updates an existing item to match what is demanded. @returns whether it differed */
async function update(
  scope: Scope,
  release: Release,
  row: Held,
  approval: DemandedApproval & { stepId: string },
  reported: CopiedItems
): Promise<boolean> {
  const { owners, stepId } = approval
  const held = { ...row, demand: row.demand! }
  const { title, description, demand } = keepsDemand(held.demand, approval.demand) ? held : approval
  const before = copiedMembers(row)
  const after = { ...before, title, description, owners, demand, required: true }
  // A changed name of an owner is no change: names are looked up when they are shown.
  if (isDeepStrictEqual(owners.map(idOf), before.owners.map(idOf))) after.owners = before.owners
  const isMoved = stepId !== row.stepId
  const isSame = isDeepStrictEqual(before, after)
  if (isSame && !isMoved) return false
  const { itemId } = row
  if (isMoved) await scope.update(releaseItems, { releaseId: release.id, itemId }, { stepId })
  if (isSame) return true
  const written = {
    title,
    description,
    owners: after.owners,
    demand,
    required: true,
    updatedAt: scope.now,
  }
  if (demand.contentHash !== before.demand!.contentHash) await withdrawVotes(scope, release, row)
  await scope.update(checklistItems, { id: itemId }, written)
  await scope.update(releaseItems, { releaseId: release.id, itemId }, written)
  // The timeline records the texts, which follow from the demand, and not the demand itself.
  const changes = memberChanges({ ...before, demand }, after)
  if (Object.keys(changes).length > 0) {
    reported.updated.push({ ...reportedItem({ ...after, id: itemId }), stepId, changes })
  }
  return true
}

/** Returns whether the old demand stays: of the same comparison, only the base file is gone now. */
const keepsDemand = (before: StoredDemand, demand: StoredDemand) =>
  before.compared === demand.compared && before.baseBuildId !== null && demand.baseBuildId === null

const idOf = ({ type, id }: ItemOwner) => `${type} ${id}`

/** Withdraws the votes and the status that were given for other changes. The comment stays. */
async function withdrawVotes(scope: Scope, release: Release, row: Held): Promise<void> {
  if (row.status === 'notStarted' && row.votes.length === 0) return
  const details = { approvalFell: { reason: 'contentChanged' } }
  const fallen = { votes: [], status: 'notStarted' as const, details }
  await correctApprovals(scope, release, new Map([[row.itemId, fallen]]))
}
