import { compareVersions, type Version } from '#workflow/version'
import type { CreateEditReleaseType, ReleaseStatus } from '#releases/vocabulary'
import type { ReleaseFacts } from './facts.js'

/** The actions on a release as a whole. */
export const RELEASE_ACTIONS = [
  'kickoff',
  'complete',
  'skip',
  'unskip',
  'delete',
  'changeVersion',
  'edit',
] as const
export type ReleaseAction = (typeof RELEASE_ACTIONS)[number]

/** Why an action is refused, as the code of the problem. */
type RefusalCode =
  | 'release_completed'
  | 'release_skipped'
  | 'release_not_skipped'
  | 'release_not_kicked_off'
  | 'release_submitted'
  | 'release_kicked_off'

/** The facts that the table needs in addition to the status. */
export type TransitionFacts = Pick<
  ReleaseFacts,
  'createType' | 'kickedOffAt' | 'submittedAt' | 'statusBeforeSkip'
> & {
  /** True for an imported past version, which may be deleted because nobody worked on it. */
  imported?: boolean
}

/**
 * The result of an action. A repeated action has `changes: false` and the current status as `to`,
 * and writes nothing. `deleted` means that the release is deleted.
 */
export type Ruling =
  | { allowed: true; to: ReleaseStatus | 'deleted'; changes: boolean }
  | { allowed: false; code: RefusalCode }

type Rule =
  | ReleaseStatus
  | 'deleted'
  | 'same'
  | 'statusBeforeSkip'
  | { refused: RefusalCode }
  | { unless: 'submitted' | 'kickedOff'; then: 'deleted' | 'same' }

const refused = (code: RefusalCode): Rule => ({ refused: code })
const DELETE: Rule = { unless: 'submitted', then: 'deleted' }
const CHANGE_VERSION: Rule = { unless: 'kickedOff', then: 'same' }

/**
 * The result of each action by the status of a release (docs/explanation/statuses.md). Changing the
 * kind of a release follows the rule for changing its version.
 */
const TABLE: Record<ReleaseStatus, Record<ReleaseAction, Rule>> = {
  upcoming: {
    kickoff: 'active',
    complete: refused('release_not_kicked_off'),
    skip: 'skipped',
    unskip: refused('release_not_skipped'),
    delete: DELETE,
    changeVersion: CHANGE_VERSION,
    edit: 'same',
  },
  active: {
    kickoff: 'active',
    complete: 'completed',
    skip: 'skipped',
    unskip: refused('release_not_skipped'),
    delete: DELETE,
    changeVersion: CHANGE_VERSION,
    edit: 'same',
  },
  completed: {
    kickoff: refused('release_completed'),
    complete: 'completed',
    skip: refused('release_completed'),
    unskip: refused('release_completed'),
    delete: refused('release_completed'),
    changeVersion: refused('release_completed'),
    edit: 'same',
  },
  skipped: {
    kickoff: refused('release_skipped'),
    complete: refused('release_skipped'),
    skip: 'skipped',
    unskip: 'statusBeforeSkip',
    delete: DELETE,
    changeVersion: CHANGE_VERSION,
    edit: 'same',
  },
}

/**
 * Returns the result of an action. `others` are the app's other releases: an unskipped release
 * becomes active only if the train has room (see `statusAfterUnskip`).
 */
export function ruleOn(
  status: ReleaseStatus,
  action: ReleaseAction,
  facts: TransitionFacts,
  others: readonly TrainMember[]
): Ruling {
  const rule = action === 'delete' && facts.imported ? 'deleted' : TABLE[status][action]
  if (typeof rule === 'object') {
    if ('refused' in rule) return { allowed: false, code: rule.refused }
    const code = refusalOf(rule.unless, facts)
    if (code) return { allowed: false, code }
    return moveTo(status, rule.then, action, facts)
  }
  if (rule === 'statusBeforeSkip') {
    return { allowed: true, to: statusAfterUnskip(facts, others), changes: true }
  }
  return moveTo(status, rule, action, facts)
}

function refusalOf(unless: 'submitted' | 'kickedOff', facts: TransitionFacts): RefusalCode | null {
  if (unless === 'submitted') return facts.submittedAt === null ? null : 'release_submitted'
  return facts.kickedOffAt === null ? null : 'release_kicked_off'
}

function moveTo(
  status: ReleaseStatus,
  rule: ReleaseStatus | 'deleted' | 'same',
  action: ReleaseAction,
  facts: TransitionFacts
): Ruling {
  const to = rule === 'same' ? status : rule
  const writes =
    action === 'edit' ||
    action === 'changeVersion' ||
    (action === 'kickoff' && facts.kickedOffAt === null)
  return { allowed: true, to, changes: to !== status || writes }
}

/** Returns the actions that would change something, for `allowedActions` of a refusal. */
export function allowedActions(status: ReleaseStatus, facts: TransitionFacts): ReleaseAction[] {
  return RELEASE_ACTIONS.filter((action) => {
    const ruling = ruleOn(status, action, facts, [])
    return ruling.allowed && ruling.changes
  })
}

/** The members of a release that its place on the train depends on. */
export interface TrainMember {
  id: string
  version: Version
  createType: CreateEditReleaseType
  status: ReleaseStatus
}

/** Returns whether a release is on the train. Hotfixes and rollbacks run beside it. */
export function isOnTrain({ createType }: Pick<TrainMember, 'createType'>): boolean {
  return createType === 'release'
}

function hasActive(releases: readonly TrainMember[]): boolean {
  return trainHolders(releases).length > 0
}

/** Returns the active releases of the train, which upcoming releases wait for. */
export function trainHolders<T extends TrainMember>(releases: readonly T[]): T[] {
  return releases.filter(holdsTrain)
}

/** Returns whether a release is the active one of the train, so that no other may become active. */
export function holdsTrain(release: Pick<TrainMember, 'createType' | 'status'>): boolean {
  return isOnTrain(release) && release.status === 'active'
}

/** Returns the release to activate: the train's lowest upcoming version, if none is active. */
export function nextActive<T extends TrainMember>(releases: readonly T[]): T | null {
  if (hasActive(releases)) return null
  return releases
    .filter((release) => isOnTrain(release) && release.status === 'upcoming')
    .reduce<T | null>(
      (lowest, release) =>
        lowest && compareVersions(lowest.version, release.version) <= 0 ? lowest : release,
      null
    )
}

/** Returns the status of a new release: `active`, unless it is on a train with an active one. */
export function initialStatus(
  createType: CreateEditReleaseType,
  others: readonly TrainMember[]
): 'upcoming' | 'active' {
  return isOnTrain({ createType }) && hasActive(others) ? 'upcoming' : 'active'
}

/**
 * Returns the status after a skip is reverted. A release that was kicked off is active again.
 * Another gets the status of a new release, because the train may have moved on meanwhile.
 */
function statusAfterUnskip(
  facts: Pick<TransitionFacts, 'createType' | 'kickedOffAt'>,
  others: readonly TrainMember[]
): 'upcoming' | 'active' {
  return facts.kickedOffAt === null ? initialStatus(facts.createType, others) : 'active'
}
