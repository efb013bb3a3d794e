import {
  flag,
  instant,
  json,
  optional,
  table,
  text,
  integer,
  type RowOf,
} from '#foundation/core/database/table'
import type { Actor } from '#foundation/core/principal'
import type { ItemKind, ItemStatus } from '#releases/vocabulary'
import type { ReleaseStepType, ReleaseType } from '#workflow/vocabulary'
import type { ApprovalRules, Vote } from './approvals/approvals.js'
import type { StoredDemand } from './demanded/demand.js'
import type { ChecklistItemComment, ItemOwner } from './entities.js'

/** The members of an item that releases copy from its definition. */
const copied = {
  kind: text<ItemKind>(),
  title: text(),
  description: optional(text()),
  releaseTypes: json<ReleaseType[]>(),
  /** The owners with their names at the time they were set. */
  owners: json<ItemOwner[]>(),
  required: flag(),
  notifyOnCompletion: flag(),
  position: integer(),
  /** The rules of an approval; empty for other kinds. */
  settings: json<Partial<ApprovalRules>>(),
  /** Why the service demands the item; null for an item that people created. */
  demand: optional(json<StoredDemand>()),
}

export const COPIED_MEMBERS = Object.keys(copied) as (keyof typeof copied)[]

/** The members of an item that releases copy. */
export type CopiedMembers = Pick<RowOf<typeof checklistItems>, keyof typeof copied>

/** Picks the copied members of a row or a model, in the order of their columns. */
export function copiedMembers(item: CopiedMembers): CopiedMembers {
  const copy: Record<string, unknown> = {}
  for (const name of COPIED_MEMBERS) copy[name] = item[name]
  return copy as CopiedMembers
}

/** Items as the app defines them: templates for every matching release, or one-offs of one. */
export const checklistItems = table('checklist_items', {
  id: text(),
  organizationId: text(),
  appId: text(),
  ...copied,
  /** The step that the item is on; null if it is on the first step of `stepType`. */
  stepConfigId: optional(text()),
  stepType: optional(text<ReleaseStepType>()),
  /** Internal id of the release of a one-off. */
  releaseId: optional(text()),
  /** Id of the user or key that made it. */
  createdBy: optional(text()),
  createdAt: instant(),
  updatedAt: instant(),
  /** A deleted item stays readable where a release used it. */
  deletedAt: optional(instant()),
})

/** Copies of items as releases hold them. */
export const releaseItems = table('release_items', {
  organizationId: text(),
  releaseId: text(),
  itemId: text(),
  stepId: text(),
  ...copied,
  status: text<ItemStatus>(),
  statusUpdatedAt: optional(instant()),
  statusUpdatedBy: optional(json<Actor>()),
  comment: optional(json<ChecklistItemComment>()),
  /** The voters so far. */
  votes: json<Vote[]>(),
  /** Time of the last change of the release's copy, status or comment. */
  updatedAt: instant(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    checklist_items: typeof checklistItems
    release_items: typeof releaseItems
  }
}
