import { chance } from './chance.js'
import {
  refused,
  type AppStoreBuild,
  type Refused,
  type Result,
  type SimulatedAppStore,
} from './app_store_state.js'

/** The time for which a build can be tested and submitted, in milliseconds. */
export const BUILD_LIFE_MS = 90 * 24 * 3_600_000

type BuildFate = 'valid' | 'invalid' | 'stuck'

/** Returns the fate of a build: configured for the first ones, otherwise by the seed. */
export function fateOf(
  { settings }: SimulatedAppStore,
  seed: string,
  { id, place }: { id: string; place: number }
): BuildFate {
  if (place < settings.fates.length) return settings.fates[place]
  const rolled = chance(seed, 'app store build', id)
  if (rolled < settings.stuck) return 'stuck'
  return rolled < settings.stuck + settings.invalid ? 'invalid' : 'valid'
}

/** Returns whether somebody has to declare the encryption of a build. */
export const asksForCompliance = (
  { settings }: SimulatedAppStore,
  seed: string,
  id: string
): boolean => chance(seed, 'export compliance', id) < settings.undeclared

/** Declares the encryption of all builds. */
export const declareCompliance = (store: SimulatedAppStore): SimulatedAppStore => ({
  ...store,
  builds: store.builds.map((build) => ({ ...build, isUndeclared: false })),
})

/** Uploads a build. A pair of version and number is accepted once. */
export function uploadBuild(
  store: SimulatedAppStore,
  now: number,
  { number, version }: { number: string; version: string },
  fate: BuildFate = 'valid'
): Result {
  const isTaken = store.builds.some((each) => each.number === number && each.version === version)
  if (isTaken) return refused('buildTaken')
  const build: AppStoreBuild = {
    id: `${version} ${number}`,
    number,
    version,
    uploadedAt: now,
    processedAt: fate === 'stuck' ? null : now + store.settings.processingMs,
    isInvalid: fate === 'invalid',
    pinned: null,
  }
  return { store: { ...store, builds: [...store.builds, build] } }
}

/** Returns why a build cannot be submitted, or given to testers; null if it can. */
export function unfitFor(build: AppStoreBuild, now: number): Refused | null {
  return unusableFor(build, now) ?? (build.isUndeclared ? 'complianceMissing' : null)
}

type BuildState = 'PROCESSING' | 'VALID' | 'INVALID' | 'EXPIRED'

/** Returns the state of a build: a `BuildState`, or the word that a scenario gives it. */
export function buildState(build: AppStoreBuild, now: number): string {
  if (build.pinned !== null) return build.pinned
  if (build.processedAt === null || now < build.processedAt) return 'PROCESSING'
  if (build.isInvalid) return 'INVALID'
  return now < build.uploadedAt + BUILD_LIFE_MS ? 'VALID' : 'EXPIRED'
}

const UNUSABLE: Readonly<Record<string, Refused | null>> = {
  PROCESSING: 'buildNotReady',
  EXPIRED: 'buildExpired',
  VALID: null,
} satisfies Partial<Record<BuildState, Refused | null>>

/**
 * Returns why a build can be neither tested nor submitted, export compliance aside; null if it can.
 */
export function unusableFor(build: AppStoreBuild, now: number): Refused | null {
  const state = buildState(build, now)
  return Object.hasOwn(UNUSABLE, state) ? UNUSABLE[state] : 'buildInvalid'
}
