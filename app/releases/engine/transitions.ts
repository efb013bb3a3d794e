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

/** Why an action is refused; the caller's problem code. */
type RefusalCode =
  | 'release_completed'
  | 'release_skipped'
  | 'release_not_skipped'
  | 'release_not_kicked_off'
  | 'release_submitted'
  | 'release_kicked_off'

/** The facts the table needs beside the status. */
export type TransitionFacts = Pick<
  ReleaseFacts,
  'createType' | 'kickedOffAt' | 'submittedAt' | 'statusBeforeSkip'
> & {
  /** A past version that was read: nobody worked on it, so it may be deleted. */
  imported?: boolean
}

/**
 * `to` equal to the current status with `changes: false` is a repetition that writes nothing;
 * `deleted` ends the record.
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
 * The result of each action by the status of a release (docs/explanation/statuses.md), and the user actions
 * that deleting and editing need. Changing the kind of a release follows the rule for changing its
 * version.
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
  const found = action === 'delete' && facts.imported ? 'deleted' : TABLE[status][action]
  if (typeof found === 'object') {
    if ('refused' in found) return { allowed: false, code: found.refused }
    const code = refusalOf(found.unless, facts)
    if (code) return { allowed: false, code }
    return moveTo(status, found.then, action, facts)
  }
  if (found === 'statusBeforeSkip') {
    return { allowed: true, to: statusAfterUnskip(facts, others), changes: true }
  }
  return moveTo(status, found, action, facts)
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

/** The actions that would change something now, for the `allowedActions` of a refusal. */
export function allowedActions(status: ReleaseStatus, facts: TransitionFacts): ReleaseAction[] {
  return RELEASE_ACTIONS.filter((action) => {
    const ruling = ruleOn(status, action, facts, [])
    return ruling.allowed && ruling.changes
  })
}

/** A release as the train sees it. */
export interface TrainMember {
  id: string
  version: Version
  createType: CreateEditReleaseType
  status: ReleaseStatus
}

/** Hotfixes and rollbacks run beside the train: they neither hold it up nor are moved by it. */
export function isOnTrain({ createType }: Pick<TrainMember, 'createType'>): boolean {
  return createType === 'release'
}

function hasActive(releases: readonly TrainMember[]): boolean {
  return trainHolders(releases).length > 0
}

/** The releases that the train is at: what is upcoming waits for them. */
export function trainHolders<T extends TrainMember>(releases: readonly T[]): T[] {
  return releases.filter(holdsTrain)
}

/** Returns whether the train is at this release, so that no other release may become active. */
export function holdsTrain(release: Pick<TrainMember, 'createType' | 'status'>): boolean {
  return isOnTrain(release) && release.status === 'active'
}

/** The release to activate now: the train's lowest upcoming version when none is active. */
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

/** The status of a new release: beside the train always active, on it when no other is. */
export function initialStatus(
  createType: CreateEditReleaseType,
  others: readonly TrainMember[]
): 'upcoming' | 'active' {
  return isOnTrain({ createType }) && hasActive(others) ? 'upcoming' : 'active'
}

/**
 * The status before the skip, recomputed: what was kicked off is active again; what was not is
 * given a place like a new release, as the train may have moved on meanwhile.
 */
function statusAfterUnskip(
  facts: Pick<TransitionFacts, 'createType' | 'kickedOffAt'>,
  others: readonly TrainMember[]
): 'upcoming' | 'active' {
  return facts.kickedOffAt === null ? initialStatus(facts.createType, others) : 'active'
}
