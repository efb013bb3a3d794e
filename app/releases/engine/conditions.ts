import { ITEM_ACTION, type ItemKind } from '../vocabulary.js'
import type { ApprovalFacts, ItemFacts, ReleaseFacts, ScheduledAction } from './facts.js'
import { isBlocking } from './items.js'

/**
 * People or systems that can meet a condition. For a user action, `name` is the action; for a role
 * at a provider, the role and the connection.
 */
export interface Who {
  type:
    | 'user'
    | 'group'
    | 'releasePilot'
    | 'userAction'
    | 'service'
    | 'store'
    | 'provider'
    | 'providerRole'
  id?: string
  name?: string
}

/** Something that has to happen before a step or a release moves on. */
export interface Condition {
  code: ConditionCode
  message: string
  subject?: {
    type: ItemKind | 'step' | 'locale' | 'release' | 'connection'
    id: string
    name: string
  }
  who: Who[]
  /** For an approval: the number of approvals still missing. */
  approvalsMissing?: number
}

/** Every code a condition may have. Codes are stable, because clients read them. */
export const CONDITION_CODES = [
  'not_kicked_off',
  'kickoff_failed',
  'cherry_pick_open',
  'cherry_pick_failed',
  'connection_failing',
  'no_feature_items',
  'features_not_ready',
  'features_missing',
  'no_translation_source',
  'locale_incomplete',
  'no_build',
  'build_running',
  'build_failed',
  'build_without_result',
  'item_not_done',
  'item_blocked',
  'no_items',
  'regression_status_set_by_hand',
  'tests_failed',
  'tests_open',
  'approval_withdrawn',
  'no_beta_build',
  'beta_in_review',
  'beta_rejected',
  'not_approved',
  'no_build_selected',
  'not_submitted',
  'submission_running',
  'submission_failed',
  'store_question',
  'invalid_binary',
  'waiting_for_review',
  'in_review',
  'review_rejected',
  'not_released',
  'release_pending',
  'release_running',
  'rollout_not_started',
  'rolling_out',
  'rollout_paused',
  'rollout_halted',
  'required_step_incomplete',
  'automation_held',
  'release_skipped',
  'train_held',
  'pair_waits',
] as const
export type ConditionCode = (typeof CONDITION_CODES)[number]

/** The user actions that conditions name. */
type NamedAction =
  | 'AddRemoveEditIntegration'
  | 'ApproveFixes'
  | 'ApproveScreenshotsMetadata'
  | 'CreateBranchPromoteCode'
  | 'CreateDeleteRelease'
  | 'EditAutomations'
  | 'EditChecklists'
  | 'PromoteBetaBuildToTestingTrack'
  | 'SelectBuild'
  | 'SubmitForReview'
  | 'TriggerCIWorkflow'
  | 'UpdateAppSettings'
  | 'UpdateApprovalItemStatus'
  | 'UpdateChecklistItemStatus'
  | 'UpdateFeatureReadiness'
  | 'UpdateRegressionTesting'

export const SERVICE: Who = { type: 'service' }
export const STORE: Who = { type: 'store' }

/** External systems, named by their kind: the engine does not know the product a team uses. */
export const CI_SYSTEM: Who = { type: 'provider', name: 'CI system' }
export const ISSUE_TRACKER: Who = { type: 'provider', name: 'Issue tracker' }
export const TEST_MANAGEMENT: Who = { type: 'provider', name: 'Test management' }
export const TRANSLATION_SERVICE: Who = { type: 'provider', name: 'Translation service' }

/** Returns everybody who holds a user action. */
export function holderOf(action: NamedAction): Who {
  return { type: 'userAction', name: action }
}

/** Returns the condition of an open item. Its owners or the holders of the action can meet it. */
export function itemCondition(facts: ReleaseFacts, item: ItemFacts): Condition {
  const blocked = isBlocking(item)
  return {
    code: blocked ? 'item_blocked' : 'item_not_done',
    message: blocked
      ? `"${item.title}" ${item.status === 'failed' ? 'has failed' : `is ${item.status}`}.`
      : `"${item.title}" is not done yet${missingPart(item)}.`,
    subject: { type: item.kind, id: item.id, name: item.title },
    who: item.approvals ? approversOf(facts, item, item.approvals) : ownersOf(facts, item),
    ...(item.approvals && { approvalsMissing: item.approvals.missing }),
  }
}

function missingPart({ approvals }: ItemFacts): string {
  if (!approvals) return ''
  const { required, missing } = approvals
  return `: ${missing} of ${required} ${required === 1 ? 'approval' : 'approvals'} missing`
}

/**
 * Returns the owners who have not approved yet, and the holders of the action if these owners are
 * too few. A group counts as enough.
 */
function approversOf(facts: ReleaseFacts, item: ItemFacts, approvals: ApprovalFacts): Who[] {
  const remaining = ownersOf(facts, item).filter(
    ({ type, id }) => type === 'userAction' || type === 'group' || !isAmong(approvals.givenBy, id)
  )
  const isEnough =
    remaining.length >= approvals.missing ||
    remaining.some(({ type }) => type === 'group' || type === 'userAction')
  if (isEnough && remaining.length > 0) return remaining
  return [...remaining, holderOf(ITEM_ACTION[item.kind])]
}

const isAmong = (ids: readonly string[], id: string | undefined) =>
  id !== undefined && ids.includes(id)

function ownersOf(facts: ReleaseFacts, item: ItemFacts): Who[] {
  const owners = item.owners.flatMap((owner): Who[] => {
    if (owner.type === 'releasePilot') {
      // A release without a pilot has nobody to name.
      if (!facts.pilot) return []
      return [{ type: 'releasePilot', id: facts.pilot.id, name: facts.pilot.name }]
    }
    return owner.id === null
      ? [{ type: owner.type, name: owner.name }]
      : [{ type: owner.type, id: owner.id, name: owner.name }]
  })
  return owners.length > 0 ? owners : [holderOf(ITEM_ACTION[item.kind])]
}

/** Returns the holders of an action, and the service itself if an automation will act. */
export function actors(facts: ReleaseFacts, action: NamedAction, scheduled: ScheduledAction) {
  const automated = facts.automations.some(
    (automation) =>
      automation.action === scheduled &&
      automation.enabled &&
      automation.heldBy === null &&
      targetOf(facts, scheduled) !== null
  )
  return automated ? [holderOf(action), SERVICE] : [holderOf(action)]
}

/** Returns the target date of an action. */
export function targetOf(facts: ReleaseFacts, action: ScheduledAction) {
  const { kickoffAt, submitAt, releaseAt } = facts.targets
  return { kickoff: kickoffAt, submit: submitAt, release: releaseAt }[action]
}
