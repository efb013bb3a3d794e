import type { ReleaseStepType } from '#releases/vocabulary'
import type { ChecklistItemEntity, ItemOwner } from '../entities.js'
import type ChecklistItem from '../models/checklist_item.js'
import { rulesOf, type Vote } from '../approvals.js'
import type { ItemKind, ItemStatus } from '../vocabulary.js'

/** An item of a release with what is read beside it, as plain columns. */
export interface HeldItemRow {
  release_id: string
  item_id: string
  step_id: string
  kind: ItemKind
  title: string
  description: string | null
  release_types: string
  owners: string
  required: boolean | number
  notify_on_completion: boolean | number
  position: number
  settings: string
  votes: string
  status: ItemStatus
  status_updated_at: string | null
  status_updated_by: string | null
  comment: string | null
  updated_at: string
  step_config_id: string
  step_type: ReleaseStepType
  app_id: string
  one_off_release_id: string | null
  created_at: string
}

/** Who approved an item so far. */
export function votesOf({ kind, votes }: Pick<HeldItemRow, 'kind' | 'votes'>): Vote[] {
  return kind === 'approval' ? (JSON.parse(votes) as Vote[]) : []
}

function approval({ actor, at, comment, brokenGlass }: Vote) {
  return {
    actor,
    at,
    ...(comment !== null && { comment }),
    ...(brokenGlass && { brokenGlass }),
  }
}

/** An item as a release holds it: its copy, on the step it landed on, with its status. */
export function heldItemEntity(
  row: HeldItemRow,
  owners: ItemOwner[],
  releasePublicId: string
): ChecklistItemEntity {
  return {
    id: row.item_id,
    appId: row.app_id,
    kind: row.kind,
    title: row.title,
    description: row.description,
    releaseTypes: JSON.parse(row.release_types),
    owners,
    required: Boolean(row.required),
    notifyOnCompletion: Boolean(row.notify_on_completion),
    placement: {
      stepConfigId: row.step_config_id,
      stepType: row.step_type,
      position: row.position,
    },
    releaseId: row.one_off_release_id === null ? null : releasePublicId,
    status: {
      type: row.status,
      updatedAt: row.status_updated_at,
      updatedBy: row.status_updated_by === null ? null : JSON.parse(row.status_updated_by),
      comment: row.comment === null ? null : JSON.parse(row.comment),
    },
    ...(row.kind === 'approval' && {
      ...rulesOf(JSON.parse(row.settings)),
      approvals: votesOf(row).map(approval),
    }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** An item as the app defines it, outside of any release. */
export function itemEntity(
  item: ChecklistItem,
  owners: ItemOwner[],
  releasePublicId: string | null
): ChecklistItemEntity {
  return {
    id: item.id,
    appId: item.appId,
    kind: item.kind,
    title: item.title,
    description: item.description,
    releaseTypes: item.releaseTypes,
    owners,
    required: item.required,
    notifyOnCompletion: item.notifyOnCompletion,
    placement: {
      stepConfigId: item.stepConfigId,
      stepType: item.stepType,
      position: item.position,
    },
    releaseId: releasePublicId,
    status: null,
    ...(item.kind === 'approval' && rulesOf(item.settings)),
    createdAt: item.createdAt,
    updatedAt: item.updatedAt,
  }
}
