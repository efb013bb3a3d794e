import { USUAL_APP_STORE, type SimulatedAppStore } from '#simulated-providers/app_store_state'
import { USUAL_PLAY, type SimulatedPlay } from '#simulated-providers/play_state'
import type { AudienceSettings, Drop, Spike } from '#simulated-providers/audience'
import { USUAL_CHAT, type SimulatedChat } from '#simulated-providers/chat'
import { USUAL_FLAGS, type SimulatedFlags } from '#simulated-providers/flags'
import type { HostedRequests } from '#simulated-providers/hosted_requests'
import { USUAL_ON_CALL, type SimulatedOnCall } from '#simulated-providers/on_call'
import { USUAL_REPOSITORY, type SimulatedRepository } from '#simulated-providers/repository'
import { USUAL_TESTS, type SimulatedTests } from '#simulated-providers/test_runs'
import { USUAL_TRACKER, type SimulatedTracker } from '#simulated-providers/tracker'
import { USUAL_TRANSLATIONS, type SimulatedTranslations } from '#simulated-providers/translations'
import { highestNumber, USUAL_CI, type SimulatedCi } from '#simulated-providers/ci'

/** A file that a scenario attaches to a run, instead of the default ones. */
interface ScenarioFile {
  id: string
  runId: string
  name: string
  content: string
  isExpired: boolean
}

/** The whole state of one organization's world, as plain data. */
export interface World {
  seed: string
  /** The app that the files of its builds describe. */
  app: { bundleId: string; name: string }
  ci: SimulatedCi
  files: readonly ScenarioFile[]
  /** Stores by the bundle id of their app; a store is absent until its first use. */
  appStores: Readonly<Record<string, SimulatedAppStore>>
  /** The initial state of an unused store. */
  newAppStore: SimulatedAppStore
  /** The same for Google Play. */
  plays: Readonly<Record<string, SimulatedPlay>>
  newPlay: SimulatedPlay
  /** Repositories by name; a repository is absent until its first change. */
  repositories: Readonly<Record<string, SimulatedRepository>>
  newRepository: SimulatedRepository
  /** Pull requests of repositories that are hosted elsewhere, by the name of the repository. */
  hosted: Readonly<Record<string, HostedRequests>>
  chat: SimulatedChat
  tracker: SimulatedTracker
  flags: SimulatedFlags
  onCall: SimulatedOnCall
  translations: SimulatedTranslations
  tests: SimulatedTests
  audience: AudienceSettings
  crashes: SimulatedCrashes
  analytics: SimulatedAnalytics
  /** The scenario of the world; null for none. */
  scenario: string | null
  outages: readonly Trouble[]
  /** Times in which a provider limits the rate of requests. */
  limits: readonly Trouble[]
  revocations: readonly Trouble[]
  /** Pending actions in consoles, and the time up to which they were handled. */
  planned: readonly ConsoleAction[]
  settledAt: number
  /** Performed actions in consoles, and the refusals of the store. */
  done: readonly { at: number; store: 'apple' | 'google'; deed: string; refused: string | null }[]
}

/** A provider of a world by the first part of its paths; null for all providers. */
export type AffectedProvider = keyof typeof PROVIDER_NAMES | null

/** Names of a world's providers in scenario files. */
export const PROVIDER_NAMES = {
  code: 'versionControl',
  ci: 'ci',
  apple: 'appStore',
  google: 'googlePlay',
  chat: 'chat',
  tracker: 'issues',
  tests: 'tests',
  crashes: 'crashes',
  analytics: 'analytics',
  flags: 'flags',
  oncall: 'onCall',
  translations: 'translations',
} as const

/** A time in which a provider does not answer, or refuses requests. */
export interface Trouble {
  of: AffectedProvider
  from: number
  until: number | null
}

/** An action in the console of a store, at a time or once the last version reaches a state. */
export interface ConsoleAction {
  store: 'apple' | 'google'
  deed: string
  at: number | null
  when: string | null
}

/** Crashes of users; `given` replaces what follows from the seed. */
interface SimulatedCrashes {
  spikes: readonly Spike[]
  /** Delay until sessions are counted, in milliseconds; absent for none. */
  lagMs?: number
  given: {
    versions: readonly { version: string; sessions: number; crashedSessions: number }[]
    issues: readonly CrashIssue[]
  } | null
}

export interface CrashIssue {
  id: string
  title: string
  /** The first version with the issue. */
  version: string
  users: number
  events: number
  /** The time at which it was first seen. */
  at: number
  isOpen: boolean
}

/** Events of users; `given` replaces what follows from the seed. */
interface SimulatedAnalytics {
  events: readonly { name: string; params: readonly string[] }[]
  drops: readonly Drop[]
  given: {
    points: readonly { event: string; at: number; value: number }[]
    shares: readonly { version: string; share: number }[]
  } | null
}

/** Returns a repository of a world; an unchanged one has the initial state. */
export function repositoryOf(world: World, name: string): SimulatedRepository {
  const { repositories, newRepository } = world
  return Object.hasOwn(repositories, name) ? repositories[name] : newRepository
}

export function newWorld(seed: string): World {
  return {
    seed,
    app: { bundleId: 'com.example.app', name: 'Example' },
    ci: USUAL_CI,
    files: [],
    appStores: {},
    newAppStore: USUAL_APP_STORE,
    plays: {},
    newPlay: USUAL_PLAY,
    repositories: {},
    newRepository: USUAL_REPOSITORY,
    hosted: {},
    chat: USUAL_CHAT,
    tracker: USUAL_TRACKER,
    flags: USUAL_FLAGS,
    onCall: USUAL_ON_CALL,
    translations: USUAL_TRANSLATIONS,
    tests: USUAL_TESTS,
    audience: {
      dailyUsers: 20_000,
      sessionsPerUser: 3,
      leastCrashing: 0.002,
      mostCrashing: 0.008,
    },
    crashes: { spikes: [], given: null },
    analytics: {
      events: [
        { name: 'app_open', params: ['source'] },
        { name: 'checkout_started', params: ['currency'] },
        { name: 'checkout_done', params: ['currency', 'total'] },
        { name: 'screen_seen', params: ['screen'] },
      ],
      drops: [],
      given: null,
    },
    scenario: null,
    outages: [],
    limits: [],
    revocations: [],
    planned: [],
    settledAt: 0,
    done: [],
  }
}

/**
 * Returns a world whose run numbers continue after those of another, so that clients do not confuse
 * runs. Everything else begins as in a first world.
 */
export function beginsAfter(last: World, world: World): World {
  const before = highestNumber(last.ci)
  const { newPlay } = world
  return {
    ...world,
    ci: { ...world.ci, before },
    newPlay: { ...newPlay, settings: { ...newPlay.settings, codesBefore: before } },
  }
}

/** Adds the members that worlds have gained since this one was stored. */
export function completedWorld(stored: Partial<World> & { seed: string }): World {
  const fresh = newWorld(stored.seed)
  const world = { ...fresh, ...stored }
  return {
    ...world,
    ci: { ...fresh.ci, ...world.ci },
    tests: { ...fresh.tests, ...world.tests },
    translations: { ...fresh.translations, ...world.translations },
    newAppStore: withDefaults(fresh.newAppStore, world.newAppStore),
    appStores: allWithDefaults(fresh.newAppStore, world.appStores),
    newPlay: withDefaults(fresh.newPlay, world.newPlay),
    plays: allWithDefaults(fresh.newPlay, world.plays),
    newRepository: withDefaults(fresh.newRepository, world.newRepository),
    repositories: allWithDefaults(fresh.newRepository, world.repositories),
  }
}

/** Adds the settings that were introduced since these were stored. */
const withDefaults = <Of extends { settings: object }>(defaults: Of, stored: Of): Of => ({
  ...stored,
  settings: { ...defaults.settings, ...stored.settings },
})

const allWithDefaults = <Of extends { settings: object }>(
  defaults: Of,
  all: Readonly<Record<string, Of>>
): Record<string, Of> =>
  Object.fromEntries(
    Object.entries(all).map(([name, each]) => [name, withDefaults(defaults, each)])
  )
