import type { RowOf } from '#foundation/core/database/table'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type { ChecklistItemEntity, ItemOwner } from '../entities.js'
import type { ItemDemand, StoredDemand } from '../demanded/demand.js'
import type ChecklistItem from '../models/checklist_item.js'
import {
  copiedMembers,
  type checklistItems,
  type CopiedMembers,
  type releaseItems,
} from '../tables.js'
import { rulesOf, type Vote } from '../approvals/approvals.js'

/** Returns a vote as the API shows it. */
export function approvalEntity({ actor, at, comment, brokenGlass }: Vote) {
  return {
    actor,
    at,
    ...(comment !== null && { comment }),
    ...(brokenGlass && { brokenGlass }),
  }
}

/** Returns the members that items of apps and of releases share. */
function definition(
  item: ItemDefinition,
  owners: ItemOwner[]
): Omit<ChecklistItemEntity, 'id' | 'placement' | 'releaseId' | 'status'> {
  const { settings, position, demand, ...members } = copiedMembers(item)
  // This only compiles if the entity has each of the members.
  const shown: Pick<ChecklistItemEntity, keyof typeof members> = { ...members, owners }
  return {
    appId: item.appId,
    ...shown,
    ...(item.kind === 'approval' && rulesOf(settings)),
    ...(demand && { demand: shownDemand(demand) }),
    createdAt: item.createdAt,
    updatedAt: item.updatedAt,
  }
}

const shownDemand = ({ key: _, compared: __, ...demand }: StoredDemand): ItemDemand => demand

type ItemDefinition = CopiedMembers &
  Pick<RowOf<typeof checklistItems>, 'appId' | 'createdAt' | 'updatedAt'>

/** An item of a release, with members of its definition and its step. */
type ReleaseItemRow = RowOf<typeof releaseItems> &
  Pick<RowOf<typeof checklistItems>, 'appId' | 'createdAt'> & {
    stepConfigId: string
    stepType: ReleaseStepType
    oneOffReleaseId: string | null
  }

/** Returns an item as a release holds it, with its step and its status. */
export function releaseItemEntity(
  row: ReleaseItemRow,
  owners: ItemOwner[],
  releasePublicId: string
): ChecklistItemEntity {
  return {
    id: row.itemId,
    ...definition(row, owners),
    placement: {
      stepConfigId: row.stepConfigId,
      stepType: row.stepType,
      position: row.position,
    },
    releaseId: row.oneOffReleaseId === null ? null : releasePublicId,
    status: {
      type: row.status,
      updatedAt: row.statusUpdatedAt,
      updatedBy: row.statusUpdatedBy,
      comment: row.comment,
    },
    ...(row.kind === 'approval' && { approvals: row.votes.map(approvalEntity) }),
  }
}

/** Returns an item as the app defines it, outside of any release. */
export function itemEntity(
  item: ChecklistItem,
  owners: ItemOwner[],
  releasePublicId: string | null
): ChecklistItemEntity {
  return {
    id: item.id,
    ...definition(item, owners),
    placement: {
      stepConfigId: item.stepConfigId,
      stepType: item.stepType,
      position: item.position,
    },
    releaseId: releasePublicId,
    status: null,
  }
}
