/*
 * The state of one app: plain data. Instants are milliseconds since the epoch.
 */

export const DAY_MS = 24 * 3_600_000

/** Total time that a phased release may be paused, in milliseconds. */
export const PAUSE_BUDGET_MS = 30 * DAY_MS

/** Time for which a build can be tested and submitted, in milliseconds. */
const BUILD_LIFETIME_MS = 90 * DAY_MS

export interface FakePhased {
  id: string
  state: string
  startedAt: number | null
  /** The day of the release at the time `since`; paused days do not count. */
  day: number
  since: number
  pausedMs: number
}

export interface FakeText {
  id: string
  locale: string
  texts: Record<string, string>
}

export interface FakeAttachment {
  id: string
  name: string
  size: number
  state: 'AWAITING_UPLOAD' | 'UPLOAD_COMPLETE' | 'FAILED'
  /** The bytes of its parts, by offset. */
  parts: Map<number, Uint8Array>
}

export interface FakeVersion {
  id: string
  version: string
  /** A value of `AppVersionState`, or one that a scenario adds. */
  state: string
  isOffSale: boolean
  buildId: string | null
  releaseType: string
  earliestReleaseDate: string | null
  createdAt: number
  /** The time from which reads find it. */
  shownAt: number
  /** When the distribution completes; null before the release. */
  distributedAt: number | null
  phased: FakePhased | null
  texts: FakeText[]
  detail: { id: string; attachments: FakeAttachment[] } | null
  submissions: number
}

export interface FakeSubmission {
  id: string
  state: string
  versionId: string | null
  /** Number of items that are not versions: in-app events, product pages. */
  others: number
  createdAt: number
  shownAt: number
  /** The time at which a cancellation takes effect. */
  cancelledAt: number | null
}

export interface FakeBuild {
  id: string
  number: string
  version: string
  uploadedAt: number
  processing: string
  isExpired: boolean
  /** True if it uses encryption; null if nobody has declared it. */
  encrypts: boolean | null
  groupIds: string[]
  notes: { id: string; locale: string; text: string }[]
  betaReview: string | null
}

export interface FakeGroup {
  id: string
  name: string
  internal: boolean
  hasAllBuilds: boolean
}

export interface FakeReview {
  id: string
  rating: number
  text: string
  at: string
  reply: { text: string; at: number } | null
}

export interface FakeHook {
  id: string
  url: string
  secret: string
  name: string
  enabled: boolean
  eventTypes: string[]
  deliveries: { id: string; at: number; state: string; isRedelivery: boolean }[]
}

export interface FakeSettings {
  /** Delay until Apple finds a new resource. */
  appearingMs: number
  /** Delay until reads show a change of a version. */
  lagMs: number
  /** Delay until a cancellation takes effect. */
  cancelingMs: number
  /** Delay until a release is distributed everywhere. */
  distributingMs: number
  /** Maximum size of a part of a file, in bytes. */
  partBytes: number
  /** A rejected version may be submitted again within its submission. */
  takesRejectedAgain: boolean
  /** Corrupts the bytes of uploaded parts. */
  spoilsParts: boolean
}

/** The worst behaviour of Apple that the plugin has to handle without losing anything. */
export const HOSTILE: FakeSettings = {
  appearingMs: 3000,
  lagMs: 0,
  cancelingMs: 4000,
  distributingMs: 30_000,
  partBytes: 10,
  takesRejectedAgain: true,
  spoilsParts: false,
}

/** The app in App Store Connect. */
export interface World {
  appId: string
  bundleId: string
  /** True while the account has the app. */
  isThere: boolean
  settings: FakeSettings
  versions: FakeVersion[]
  submissions: FakeSubmission[]
  builds: FakeBuild[]
  groups: FakeGroup[]
  reviews: FakeReview[]
  hooks: FakeHook[]
  /** The name of the app, by language. */
  titles: FakeText[]
}

/** States in which a version and its build can be changed. */
const EDITABLE = [
  'PREPARE_FOR_SUBMISSION',
  'READY_FOR_REVIEW',
  'REJECTED',
  'METADATA_REJECTED',
  'DEVELOPER_REJECTED',
  'INVALID_BINARY',
]
export const isEditable = ({ state }: FakeVersion) => EDITABLE.includes(state)

/** Returns whether users have the version, or had it. */
export const isOut = ({ state }: FakeVersion) =>
  ['READY_FOR_DISTRIBUTION', 'PROCESSING_FOR_DISTRIBUTION', 'REPLACED_WITH_NEW_VERSION'].includes(
    state
  )

/** Returns the day of a phased release, from 1 to 7. */
export function dayOf({ state, day, since }: FakePhased, now: number): number {
  return state === 'ACTIVE' ? Math.min(7, day + Math.floor((now - since) / DAY_MS)) : day
}

/** Returns the total time that a phased release was paused, in milliseconds. */
export const pausedMs = ({ state, since, pausedMs: before }: FakePhased, now: number) =>
  before + (state === 'PAUSED' ? now - since : 0)

/** The part of a world that changes as time passes. */
export type Moving = Pick<World, 'versions' | 'submissions' | 'builds'>

/** Applies the transitions that are due. */
export function settle(world: Moving, now: number): void {
  for (const submission of world.submissions) {
    if (submission.cancelledAt === null || submission.cancelledAt > now) continue
    submission.cancelledAt = null
    submission.state = 'COMPLETE'
    const version = world.versions.find(({ id }) => id === submission.versionId)
    if (version) version.state = 'DEVELOPER_REJECTED'
  }
  for (const build of world.builds) {
    build.isExpired ||= build.uploadedAt + BUILD_LIFETIME_MS <= now
  }
  for (const version of world.versions) {
    const { phased, distributedAt } = version
    if (distributedAt !== null && distributedAt <= now) distribute(world, version, distributedAt)
    if (!phased) continue
    if (phased.state === 'ACTIVE' && now - phased.since >= (8 - phased.day) * DAY_MS) {
      Object.assign(phased, { state: 'COMPLETE', day: 7 })
    }
    if (phased.state === 'PAUSED' && pausedMs(phased, now) > PAUSE_BUDGET_MS) {
      Object.assign(phased, { state: 'ACTIVE', pausedMs: PAUSE_BUDGET_MS, since: now })
    }
  }
}

/**
 * Approves a version. Unless it is released manually, its release follows at once or at its
 * scheduled time.
 */
export function approve({ settings }: World, version: FakeVersion, now: number): void {
  const { releaseType, earliestReleaseDate } = version
  if (releaseType === 'MANUAL') {
    version.state = 'PENDING_DEVELOPER_RELEASE'
    return
  }
  const date = releaseType === 'SCHEDULED' ? Date.parse(earliestReleaseDate ?? '') : now
  version.state = date > now ? 'PENDING_APPLE_RELEASE' : 'PROCESSING_FOR_DISTRIBUTION'
  version.distributedAt = Math.max(date, now) + settings.distributingMs
}

/**
 * Completes the distribution of a version. It replaces the previous version and ends its phased
 * release.
 */
function distribute(world: Moving, version: FakeVersion, at: number): void {
  version.distributedAt = null
  for (const each of world.versions) {
    if (each.state !== 'READY_FOR_DISTRIBUTION') continue
    each.state = 'REPLACED_WITH_NEW_VERSION'
    each.isOffSale = false
    if (each.phased) {
      Object.assign(each.phased, { day: dayOf(each.phased, at), state: 'COMPLETE', since: at })
    }
  }
  version.state = 'READY_FOR_DISTRIBUTION'
  if (version.phased) {
    Object.assign(version.phased, { state: 'ACTIVE', startedAt: at, day: 1, since: at })
  }
}
