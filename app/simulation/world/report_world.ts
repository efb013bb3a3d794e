import {
  asOf,
  isShown,
  listedAt as appStoreListedAt,
  phasedRelease,
  versionState,
} from '#simulated-providers/version_states'
import { buildState } from '#simulated-providers/app_store_builds'
import {
  highestCode,
  lifecycleOf,
  listedAt as playListedAt,
  releasesAsOf,
  versionNameOf,
} from '#simulated-providers/play_releases'
import { stateOf } from '#simulated-providers/ci'
import { appStoreOf } from './app_store_answers.js'
import { instantText } from './http.js'
import { playOf } from './play_answers.js'
import { settleUntil } from './consoles.js'
import { PROVIDER_NAMES, type World } from './world.js'

/** Describes a world, for people and for tests. */
export function reportWorld(stored: World, now: number) {
  const world = settleUntil(stored, now)
  const { done, ...reported } = reportedCiAndStores(world, now, 'current')
  const posts = world.chat.posts.map(({ channelId, text, at }) => ({
    channel: world.chat.channels.find(({ id }) => id === channelId)?.name ?? channelId,
    text,
    at: instantText(at),
  }))
  const { seed, scenario } = world
  return { seed, scenario, now: instantText(now), ...reported, chat: { posts }, done }
}

/** Describes what CI and stores list for clients, with their delay, and the actions in consoles. */
export const reportStores = (stored: World, now: number) =>
  reportedCiAndStores(settleUntil(stored, now), now, 'listed')

/** The current state, or what lists show, which lags behind. */
type View = 'current' | 'listed'

function reportedCiAndStores(world: World, now: number, view: View) {
  const runs = world.ci.runs.map((run) => ({
    id: run.id,
    workflowId: run.workflowId,
    branch: run.branch,
    state: stateOf(run, now),
    endsAt: instantText(run.endsAt),
  }))
  const appStores = Object.keys(world.appStores).map((bundleId) => ({
    bundleId,
    ...reportedAppStore(world, bundleId, now, view),
  }))
  const plays = Object.keys(world.plays).map((bundleId) => ({
    bundleId,
    releases: reportedGooglePlay(world, bundleId, now, view),
  }))
  const done = world.done.map(({ at, ...each }) => ({ ...each, at: instantText(at) }))
  return { ci: { runs }, appStores, plays, done }
}

function reportedGooglePlay(world: World, bundleId: string, now: number, view: View) {
  const store = playOf(world, bundleId, now)
  const shownAt = view === 'listed' ? playListedAt(store, now) : now
  return store.tracks.flatMap(({ id: track }) =>
    releasesAsOf(store, track, shownAt).map((release) => ({
      track,
      version: versionNameOf(store, release),
      versionCode: highestCode(release),
      state: lifecycleOf(release, shownAt),
      status: release.status,
      userFraction: release.userFraction,
    }))
  )
}

function reportedAppStore(world: World, bundleId: string, now: number, view: View) {
  const current = appStoreOf(world, bundleId, now)
  const shownAt = view === 'listed' ? appStoreListedAt(current, now) : now
  const store = asOf(current, shownAt)
  const versions = store.versions.filter((each) => view === 'current' || isShown(store, each, now))
  return {
    builds: store.builds.map((build) => ({
      id: build.id,
      version: build.version,
      number: build.number,
      state: buildState(build, now),
    })),
    versions: versions.map((version) => {
      const { state, percentage } = phasedRelease(store, version, shownAt)
      return {
        version: version.version,
        state: versionState(store, version, shownAt),
        phasedRelease: version.phasing ? { state, percentage } : null,
      }
    }),
  }
}

/** Returns the description of a world as lines for people. */
export function linesOfWorld(reported: ReturnType<typeof reportWorld>): string[] {
  return [
    `It is ${reported.now} in the world of seed ${reported.seed}.`,
    ...(reported.scenario === null ? [] : [`It plays: ${reported.scenario}.`]),
    ...reported.ci.runs.map(
      ({ id, workflowId, branch, state }) => `CI run ${id} of ${workflowId} at ${branch}: ${state}`
    ),
    ...reported.appStores.flatMap(({ bundleId, builds, versions }) => [
      ...builds.map(
        ({ version, number, state }) =>
          `App Store ${bundleId}: build ${number} of ${version}: ${state}`
      ),
      ...versions.map(({ version, state, phasedRelease: phased }) => {
        const share = phased ? `, phased ${phased.state} at ${phased.percentage} %` : ''
        return `App Store ${bundleId}: ${version}: ${state}${share}`
      }),
    ]),
    ...reported.plays.flatMap(({ bundleId, releases }) =>
      releases.map(({ track, version, versionCode, state, status, userFraction }) => {
        const share = userFraction === null ? '' : ` at ${userFraction * 100} %`
        return `Google Play ${bundleId}: ${version} (${versionCode}) on ${track}: ${state}, ${status}${share}`
      })
    ),
    ...reported.done.map(({ at, store, deed: action, refused }) => {
      const refusal = refused === null ? '' : `, which the store refused: ${refused}`
      return `At ${at} somebody ${action} in the console of ${PROVIDER_NAMES[store]}${refusal}`
    }),
    ...reported.chat.posts.map(({ channel, text, at }) => `#${channel} at ${at}: ${text}`),
  ]
}
