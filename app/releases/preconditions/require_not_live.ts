import { of, select } from '#foundation/core/database/statement'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { stateOf } from './state_of.js'
import { storesPort, type InStore, type ReleaseWarning } from '../ports.js'
import { publicReleaseId } from '../names/public_release_id.js'
import { newestFirst } from '../queries/version_sql.js'
import { releases } from '../tables.js'
import { IN_STORE_STATES } from '../vocabulary.js'

type Release = Parameters<typeof stateOf>[0] & { id: string; appId: string; version: string }
/** Actions that are refused while stores have something of the release. */
type BlockedAction = 'skip' | 'complete' | 'delete'

const ACTION_TEXT = { skip: 'skipped', complete: 'completed', delete: 'deleted' } as const

const UNFINISHED = ['inReview', 'approved', 'active', 'paused', 'halted'] as const

/** The states in a store that block an action. */
const BLOCKING: Record<BlockedAction, readonly InStore['state'][]> = {
  skip: [...UNFINISHED, 'completed'],
  complete: UNFINISHED,
  delete: IN_STORE_STATES,
}

/** States that change by themselves and therefore need somebody who watches them. */
const MOVING: readonly InStore['state'][] = ['asked', 'inReview', 'approved', 'active']

/** Maximum number of releases to check. Older ones no longer change in stores. */
const MAX_CHECKED = 20

const OTHERS = select(
  of(releases, 'r', ['id', 'appId', 'version']),
  `from releases r where r.organization_id = :org and r.app_id = :appId and r.id <> :id
    and (r.submitted_at is not null or r.imported = true) ${newestFirst('r')} limit ${MAX_CHECKED}`
)

/**
 * Returns the states in stores of a release that is about to be skipped, completed or deleted.
 * @param isForced whether to go on even if a state blocks the action
 * @throws release_live with the states, including those of other releases of the app
 */
export async function requireNotLive(
  scope: Scope,
  release: Release,
  action: BlockedAction,
  isForced = false
): Promise<InStore[]> {
  const all = await storesPort.provided.inStores(scope, release)
  const blocking = all.filter(({ state }) => BLOCKING[action].includes(state))
  // A pending call to a store only blocks a deletion, but is always listed.
  const listed = all.filter((each) => blocking.includes(each) || each.state === 'asked')
  if (isForced || blocking.length === 0) return listed
  const { currentStatus, allowedActions: possible } = standing(release, all)
  throw refuse('release_live', {
    detail: `${release.version} cannot be ${ACTION_TEXT[action]}: it is ${blocking.map(inWords).join(' and ')}.`,
    remedy: remedyFor(action, blocking),
    currentStatus,
    allowedActions: action === 'delete' ? possible : [...possible, 'force'],
    members: {
      inStores: [
        ...blocking.map((each) => shown(release, each)),
        ...(await liveOthers(scope, release)).slice(0, 100 - blocking.length),
      ],
    },
  })
}

function remedyFor(action: BlockedAction, blocking: readonly InStore[]): string {
  if (action !== 'delete') return 'Withdraw it or stop it first, or repeat with force=true.'
  if (blocking.every(({ state }) => state === 'asked')) {
    return 'Wait for the outcome, or skip the release instead.'
  }
  return 'Withdraw it or stop it first, and skip the release instead.'
}

/** Returns the members of a 409 about a release, without the actions that its stores block. */
export async function standingOf(scope: Scope, release: Release) {
  return standing(release, await storesPort.provided.inStores(scope, release))
}

function standing(release: Release, all: readonly InStore[]) {
  const { currentStatus, allowedActions } = stateOf(release)
  const isPossible = (action: string) =>
    !(action in BLOCKING) ||
    (action === 'delete' && release.imported) ||
    !all.some(({ state }) => BLOCKING[action as BlockedAction].includes(state))
  return { currentStatus, allowedActions: allowedActions.filter(isPossible) }
}

/** Returns the states of other releases of an app that a store has and not all users have. */
export async function liveOthers(scope: Scope, { appId, id }: Release) {
  const found = []
  for (const other of await scope.rows(OTHERS, { appId, id })) {
    const unfinished = (await storesPort.provided.inStores(scope, other)).filter(
      ({ state }) => state !== 'completed'
    )
    found.push(...unfinished.map((each) => shown(other, each)))
  }
  return found
}

const IN_PROGRESS = select(
  of(releases, 'r', ['id', 'appId', 'version']),
  `from releases r where r.organization_id = :org and r.app_id = :appId
    and r.kicked_off_at is not null ${newestFirst('r')} limit ${MAX_CHECKED}`
)

/**
 * Checks that no release still changes in stores which the app is about to lose.
 * @param refusal texts for the problem; `isMeant` returns whether a state is in such a store
 * @throws release_live with the states
 */
export async function requireNoneLive(
  scope: Scope,
  appId: string,
  {
    isMeant,
    ...refusal
  }: {
    what: string
    instead: string
    allowedActions: string[]
    isMeant: (inStore: InStore) => boolean
  }
): Promise<void> {
  const live = []
  for (const release of await scope.rows(IN_PROGRESS, { appId })) {
    const moving = (await storesPort.provided.inStores(scope, release)).filter(
      (each) => MOVING.includes(each.state) && isMeant(each)
    )
    live.push(...moving.map((each) => ({ release, each })))
  }
  if (live.length === 0) return
  const names = live.map(({ release, each }) => `${release.version} is ${inWords(each)}`)
  throw refuse('release_live', {
    detail: `${names.join(', ')}: ${refusal.what}.`.slice(0, 2000),
    remedy: refusal.instead,
    currentStatus: live[0].each.state,
    allowedActions: refusal.allowedActions,
    members: { inStores: live.slice(0, 100).map(({ release, each }) => shown(release, each)) },
  })
}

function shown({ appId, version }: Pick<Release, 'appId' | 'version'>, inStore: InStore) {
  const { outlook: message, ...rest } = inStore
  return { releaseId: publicReleaseId({ appId, version }), version, ...rest, message }
}

const STATE_TEXT: Record<InStore['state'], string> = {
  asked: 'on its way to its store',
  inReview: 'in review by its store',
  approved: 'approved by its store',
  active: 'live',
  paused: 'live, paused',
  halted: 'live, halted',
  completed: 'live',
}

function inWords({ state, percentage }: Pick<InStore, 'state' | 'percentage'>): string {
  const isLive = !['asked', 'inReview', 'approved'].includes(state)
  return isLive ? `${STATE_TEXT[state]} at ${percentage} %` : STATE_TEXT[state]
}

/** Returns warnings about stores that still have a release which a person has ended. */
export const leftInStores = (inStores: readonly InStore[]): ReleaseWarning[] =>
  inStores.map((each) => ({
    code: 'left_in_store',
    message: [...missingUsers(each), each.outlook].join(' '),
  }))

/** Returns a sentence about the users who do not have a release that is live below 100 %. */
function missingUsers({ state, percentage }: InStore): string[] {
  if (!['active', 'paused', 'halted'].includes(state)) return []
  const missing = Math.round((100 - percentage) * 100) / 100
  return [`The other ${missing} % of users do not have it.`]
}

/**
 * Returns warnings about other releases of the app that only some users have, for the person who
 * stops this one.
 * @param isReviewReported whether releases in review were mentioned already
 */
export async function liveBeside(
  scope: Scope,
  release: Release,
  isReviewReported: boolean
): Promise<ReleaseWarning[]> {
  const others = (await liveOthers(scope, release)).filter(
    ({ state }) => !(isReviewReported && state === 'inReview')
  )
  return others.map((each) => ({
    code: 'also_live',
    message: `${each.version} is ${inWords(each)}. ${each.message}`,
  }))
}

/** Returns the end of the title of a release that was ended by hand. */
export function endOfTitle(inStores: readonly InStore[]): string {
  if (inStores.length === 0) return ''
  const outlook = leftInStores(inStores).map(({ message }) => message)
  return `: it is ${inStores.map(inWords).join(' and ')}. ${outlook.join(' ')}`
}
