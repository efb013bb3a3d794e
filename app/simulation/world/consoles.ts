import { HOUR } from '#foundation/core/durations'
import { cancelReview, release, rollOut, setOnSale } from '#simulated-providers/app_store'
import { versionState } from '#simulated-providers/version_states'
import { buildState, declareCompliance } from '#simulated-providers/app_store_builds'
import {
  isRefused,
  type Result,
  type SimulatedAppStore,
} from '#simulated-providers/app_store_state'
import {
  commitEdit,
  openEdit,
  publishApproved,
  putTrack,
  sentForReview,
} from '#simulated-providers/play_edits'
import { bundleState, lifecycleOf, releasesOf } from '#simulated-providers/play_releases'
import {
  isPlayRefused,
  playRefused,
  PRODUCTION,
  type PlayResult,
  type SimulatedPlay,
  type TrackRelease,
} from '#simulated-providers/play_state'
import { giveToGroups } from '#simulated-providers/test_flight'
import { appStoreOf } from './app_store_answers.js'
import { playOf } from './play_answers.js'
import type { ConsoleAction, World } from './world.js'

/*
 * Actions of people in the stores' own consoles, by a scenario or on request. There is no timer:
 * every access to a world first performs the actions that were due, each at its own time.
 */

type AppleAction = (store: SimulatedAppStore, now: number, id: string, seed: string) => Result

/** Gives the newest usable build to every group of testers. */
const givenToTesters: AppleAction = (store, now, _id, seed) => {
  const build = store.builds.findLast((each) => buildState(each, now) === 'VALID')
  const groupIds = store.groups.map(({ id }) => id)
  return giveToGroups(store, seed, now, { buildId: build?.id ?? '', groupIds })
}

/** Actions on the last version in an App Store. */
const APPLE: Readonly<Record<string, AppleAction>> = {
  cancelsReview: (store, now, id) => cancelReview(store, now, id),
  releases: (store, now, id) => release(store, now, id),
  pauses: (store, now, id) => rollOut(store, now, id, 'pause'),
  resumes: (store, now, id) => rollOut(store, now, id, 'resume'),
  completes: (store, now, id) => rollOut(store, now, id, 'complete'),
  removesFromSale: (store, now, id) => setOnSale(store, now, id, false),
  returnsToSale: (store, now, id) => setOnSale(store, now, id, true),
  givesToTesters: givenToTesters,
  declaresCompliance: (store) => ({ store: declareCompliance(store) }),
}

type GoogleAction = (store: SimulatedPlay, seed: string, now: number) => PlayResult

/** Commits the releases of a track, and sends them for review. */
function sentFromConsole(
  store: SimulatedPlay,
  seed: string,
  now: number,
  given: { track: string; releases: readonly TrackRelease[] }
): PlayResult {
  const { store: opened, edit } = openEdit(store, now)
  const put = putTrack(opened, now, { editId: edit.id, ...given })
  if (isPlayRefused(put)) return put
  const { isSentByHand } = store.settings
  const committed = commitEdit(put.store, seed, now, {
    editId: edit.id,
    changesNotSentForReview: isSentByHand,
    changesInReviewBehavior: 'CANCEL_IN_REVIEW_AND_SUBMIT',
    isManaged: null,
  })
  if (isPlayRefused(committed) || !isSentByHand) return committed
  return { store: sentForReview(committed.store, seed, now) }
}

/** Changes the last release of the production track. */
const changing =
  (change: Partial<TrackRelease>): GoogleAction =>
  (store, seed, now) => {
    const before = releasesOf(store, PRODUCTION, now)
    const releases = before.map((each, index) =>
      index === before.length - 1 ? { ...each, ...change } : each
    )
    return sentFromConsole(store, seed, now, { track: PRODUCTION, releases })
  }

/** Gives the newest usable bundle to the testers of closed testing. */
const CLOSED = 'alpha'
const placedForTesters: GoogleAction = (store, seed, now) => {
  const bundle = store.bundles.findLast((each) => bundleState(each, now) === 'VALID')
  if (!bundle) return playRefused('buildUnknown')
  const given: TrackRelease = {
    versionCodes: [bundle.versionCode],
    name: bundle.versionName,
    status: 'completed',
    userFraction: null,
    notes: [],
  }
  const kept = releasesOf(store, CLOSED, now).filter(({ status }) => status !== 'draft')
  return sentFromConsole(store, seed, now, { track: CLOSED, releases: [...kept, given] })
}

/** Actions in a Google Play; opening an edit deletes another open one. */
const GOOGLE: Readonly<Record<string, GoogleAction>> = {
  halts: changing({ status: 'halted' }),
  completes: changing({ status: 'completed', userFraction: null }),
  sends: (store, seed, now) => ({ store: sentForReview(store, seed, now) }),
  opensEdit: (store, _seed, now) => ({ store: openEdit(store, now).store }),
  givesToTesters: placedForTesters,
  publishes: (store, _seed, now) => publishApproved(store, now),
}

/** The stores that have a console, as scenario files and requests name them. */
export const CONSOLES = { appStore: 'apple', googlePlay: 'google' } as const
export const CONSOLE_NAMES = Object.keys(CONSOLES) as (keyof typeof CONSOLES)[]

/** Deeds that scenario files and requests may name, by store. */
export const CONSOLE_DEEDS = {
  apple: Object.keys(APPLE),
  google: Object.keys(GOOGLE),
} as const

/** Returns a world after all actions that were due until now. */
export function settleUntil(world: World, now: number): World {
  if (world.planned.length === 0) return world
  const timed = world.planned.flatMap(({ at }) => (at !== null && at <= now ? [at] : []))
  const steps = world.planned.some(({ when }) => when !== null) ? stepsOf(world.settledAt, now) : []
  const instants = [...new Set([...timed, ...steps])].sort((one, other) => one - other)
  const last = steps.at(-1) ?? world.settledAt
  const settled = instants.reduce(settleAt, world)
  return settled === world && last === world.settledAt ? world : { ...settled, settledAt: last }
}

/** Returns the whole hours since a world was last settled. */
function stepsOf(since: number, now: number): number[] {
  const first = Math.floor(since / HOUR) + 1
  const count = Math.max(0, Math.floor(now / HOUR) - first + 1)
  return Array.from({ length: count }, (_, index) => (first + index) * HOUR)
}

function settleAt(world: World, at: number): World {
  const due = world.planned.filter((each) =>
    each.at === null ? each.when !== null && isInAwaitedState(world, each, at) : each.at <= at
  )
  return due.reduce((before, each) => performAction(before, each, each.at ?? at), world)
}

/** Returns whether the last version of a store is in the state that an action waits for. */
function isInAwaitedState(world: World, { store, when }: ConsoleAction, at: number): boolean {
  if (store === 'apple') {
    return Object.keys(world.appStores).some((bundleId) => {
      const appStore = appStoreOf(world, bundleId, at)
      const last = appStore.versions.at(-1)
      return last !== undefined && versionState(appStore, last, at) === when
    })
  }
  return Object.keys(world.plays).some((packageName) => {
    const last = releasesOf(playOf(world, packageName, at), PRODUCTION, at).at(-1)
    return last !== undefined && lifecycleOf(last, at) === when
  })
}

/** Performs a deed in every store of a kind that is in use, and records the results. */
export function performAction(world: World, action: ConsoleAction, at: number): World {
  const planned = world.planned.filter((each) => each !== action)
  const reported = (refused: string | null) => ({
    at,
    store: action.store,
    deed: action.deed,
    refused,
  })
  const bundles = Object.keys(action.store === 'apple' ? world.appStores : world.plays)
  return bundles.reduce<World>(
    (before, bundleId) => {
      const { next, refused } = inStore(before, action, { bundleId, at })
      return { ...next, done: [...next.done, reported(refused)] }
    },
    { ...world, planned }
  )
}

function inStore(
  world: World,
  { store, deed: action }: ConsoleAction,
  { bundleId, at }: { bundleId: string; at: number }
): { next: World; refused: string | null } {
  if (store === 'apple') {
    const appStore = appStoreOf(world, bundleId, at)
    const result = APPLE[action](appStore, at, appStore.versions.at(-1)?.id ?? '', world.seed)
    if (isRefused(result)) return { next: world, refused: result.refused }
    const appStores = { ...world.appStores, [bundleId]: result.store }
    return { next: { ...world, appStores }, refused: null }
  }
  const result = GOOGLE[action](playOf(world, bundleId, at), world.seed, at)
  if (isPlayRefused(result)) return { next: world, refused: result.refused }
  const plays = { ...world.plays, [bundleId]: result.store }
  return { next: { ...world, plays }, refused: null }
}
