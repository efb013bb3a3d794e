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
type Held = 'skip' | 'complete' | 'delete'

const UNFINISHED = ['inReview', 'approved', 'active', 'paused', 'halted'] as const

/** The states that stand against doing something. */
const AGAINST: Record<Held, readonly InStore['state'][]> = {
  skip: [...UNFINISHED, 'completed'],
  complete: UNFINISHED,
  delete: IN_STORE_STATES,
}

/** States that change by themselves and therefore need somebody who watches them. */
const MOVING: readonly InStore['state'][] = ['asked', 'inReview', 'approved', 'active']

/** Enough for all that overlap: what is older all users have, or nobody gets any more. */
const MOST_BESIDE = 20

const BESIDE = select(
  of(releases, 'r', ['id', 'appId', 'version']),
  `from releases r where r.organization_id = :org and r.app_id = :appId and r.id <> :id
    and r.submitted_at is not null ${newestFirst('r')} limit ${MOST_BESIDE}`
)

/**
 * Returns what stores have of a release that is about to be skipped, completed or deleted.
 * @param isForced whether to go on in spite of it
 * @throws release_live with that list, other releases of the app included
 */
export async function demandNotLive(
  scope: Scope,
  release: Release,
  action: Held,
  isForced = false
): Promise<InStore[]> {
  const all = await storesPort.provided.inStores(scope, release)
  const against = all.filter(({ state }) => AGAINST[action].includes(state))
  // A call that is on its way blocks only a deletion, but is always listed.
  const left = all.filter((each) => against.includes(each) || each.state === 'asked')
  if (isForced || against.length === 0) return left
  const { currentStatus, allowedActions: possible } = standing(release, all)
  const isAsked = against.every(({ state }) => state === 'asked')
  const remedy =
    action !== 'delete'
      ? 'Withdraw it or stop it first, or repeat with force=true.'
      : isAsked
        ? 'Wait for what becomes of it, or skip the release instead.'
        : 'Withdraw it or stop it first, and skip the release instead.'
  throw refuse('release_live', {
    detail: `${release.version} is ${against.map(inWords).join(' and ')}: this is not possible.`,
    remedy,
    currentStatus,
    allowedActions: action === 'delete' ? possible : [...possible, 'force'],
    members: {
      inStores: [
        ...against.map((each) => shown(release, each)),
        ...(await besides(scope, release)).slice(0, 100 - against.length),
      ],
    },
  })
}

/** Returns the members of a 409 about a release, without the actions that its stores block. */
export async function standingOf(scope: Scope, release: Release) {
  return standing(release, await storesPort.provided.inStores(scope, release))
}

function standing(release: Release, all: readonly InStore[]) {
  const { currentStatus, allowedActions } = stateOf(release)
  const isPossible = (action: string) =>
    !(action in AGAINST) || !all.some(({ state }) => AGAINST[action as Held].includes(state))
  return { currentStatus, allowedActions: allowedActions.filter(isPossible) }
}

/** Returns the other releases of an app that stores have and that not all users have. */
export async function besides(scope: Scope, { appId, id }: Release) {
  const found = []
  for (const other of await scope.rows(BESIDE, { appId, id })) {
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
    and r.kicked_off_at is not null ${newestFirst('r')} limit ${MOST_BESIDE}`
)

/**
 * Refuses what would leave the stores of an app alone with releases that still move there, or that
 * a call may come to.
 * @param what is not possible, and what to do instead
 * @param isMeant whether a store is about to be left
 * @throws release_live with what they have
 */
export async function demandNoneLive(
  scope: Scope,
  appId: string,
  {
    isMeant,
    ...said
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
    detail: `${names.join(', ')}: ${said.what}.`.slice(0, 2000),
    remedy: said.instead,
    currentStatus: live[0].each.state,
    allowedActions: said.allowedActions,
    members: { inStores: live.slice(0, 100).map(({ release, each }) => shown(release, each)) },
  })
}

function shown({ appId, version }: Pick<Release, 'appId' | 'version'>, inStore: InStore) {
  const { outlook: message, ...rest } = inStore
  return { releaseId: publicReleaseId({ appId, version }), version, ...rest, message }
}

const STANDING: Record<InStore['state'], string> = {
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
  return isLive ? `${STANDING[state]} at ${percentage} %` : STANDING[state]
}

/** Returns warnings about stores that still have a release which a person has ended. */
export const leftInStores = (left: readonly InStore[]): ReleaseWarning[] =>
  left.map((each) => ({
    code: 'left_in_store',
    message: [...missingUsers(each), each.outlook].join(' '),
  }))

/** Says how many users do not have what is live below 100 %. */
function missingUsers({ state, percentage }: InStore): string[] {
  if (!['active', 'paused', 'halted'].includes(state)) return []
  const missing = Math.round((100 - percentage) * 100) / 100
  return [`The other ${missing} % of users do not have it.`]
}

/**
 * Returns the app's other releases that only some users have, as a hint to the person who stops
 * one.
 * @param isReviewReported whether releases in review were mentioned already
 */
export async function liveBeside(
  scope: Scope,
  release: Release,
  isReviewReported: boolean
): Promise<ReleaseWarning[]> {
  const others = (await besides(scope, release)).filter(
    ({ state }) => !(isReviewReported && state === 'inReview')
  )
  return others.map((each) => ({
    code: 'also_live',
    message: `${each.version} is ${inWords(each)}. ${each.message}`,
  }))
}

/** Returns the end of the title of a release that was ended by hand. */
export function endOfTitle(left: readonly InStore[]): string {
  if (left.length === 0) return ''
  const outlook = leftInStores(left).map(({ message }) => message)
  return `: it is ${left.map(inWords).join(' and ')}. ${outlook.join(' ')}`
}
