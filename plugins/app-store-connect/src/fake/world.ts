/*
 * The state of one app: plain data. Instants are milliseconds since the epoch.
 */

export const DAY_MS = 24 * 3_600_000

/** Milliseconds in which a phased release may be paused, in all. */
export const PAUSE_BUDGET_MS = 30 * DAY_MS

/** Milliseconds for which a build can be tested and submitted. */
const BUILD_LIFE_MS = 90 * DAY_MS

export interface FakePhased {
  id: string
  state: string
  startedAt: number | null
  /** The day that it had at a time; days of a pause do not count. */
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
  /** Bytes of its parts, by their places. */
  parts: Map<number, Uint8Array>
}

export interface FakeVersion {
  id: string
  version: string
  /** A word of `AppVersionState`, or one that a scenario adds. */
  state: string
  isOffSale: boolean
  buildId: string | null
  releaseType: string
  earliestReleaseDate: string | null
  createdAt: number
  /** Nobody finds it before. */
  shownAt: number
  /** When what was released is everywhere; null while it is not released. */
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
  /** Items that are no versions: in-app events, product pages. */
  others: number
  createdAt: number
  shownAt: number
  /** When a cancellation holds. */
  cancelledAt: number | null
}

export interface FakeBuild {
  id: string
  number: string
  version: string
  uploadedAt: number
  processing: string
  isExpired: boolean
  /** True if it encrypts; null if nobody has declared it. */
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
  /** From making something until Apple finds it. */
  appearingMs: number
  /** From a change of a version until reads show it. */
  lagMs: number
  /** From the request of a cancellation until it holds. */
  cancelingMs: number
  /** From a release until it is everywhere. */
  distributingMs: number
  /** Most bytes of a part of a file. */
  partBytes: number
  /** A rejected version may be sent again in its submission. */
  takesRejectedAgain: boolean
  /** Parts arrive with other bytes than were sent. */
  spoilsParts: boolean
}

/** Apple at its worst, as far as it is sure that nothing gets lost by it. */
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
  /** The account still has the app. */
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

/** A version can be changed, and its build too. */
const EDITABLE = [
  'PREPARE_FOR_SUBMISSION',
  'READY_FOR_REVIEW',
  'REJECTED',
  'METADATA_REJECTED',
  'DEVELOPER_REJECTED',
  'INVALID_BINARY',
]
export const isEditable = ({ state }: FakeVersion) => EDITABLE.includes(state)

/** Users have it, or had it. */
export const isOut = ({ state }: FakeVersion) =>
  ['READY_FOR_DISTRIBUTION', 'PROCESSING_FOR_DISTRIBUTION', 'REPLACED_WITH_NEW_VERSION'].includes(
    state
  )

/** The day of a phased release, from 1 to 7. */
export function dayOf({ state, day, since }: FakePhased, now: number): number {
  return state === 'ACTIVE' ? Math.min(7, day + Math.floor((now - since) / DAY_MS)) : day
}

/** Milliseconds that a phased release was paused, in all. */
export const pausedMs = ({ state, since, pausedMs: before }: FakePhased, now: number) =>
  before + (state === 'PAUSED' ? now - since : 0)

/** The part of a world that changes as time passes. */
export type Moving = Pick<World, 'versions' | 'submissions' | 'builds'>

/** Has what ends by itself come to its end. */
export function settle(world: Moving, now: number): void {
  for (const submission of world.submissions) {
    if (submission.cancelledAt === null || submission.cancelledAt > now) continue
    submission.cancelledAt = null
    submission.state = 'COMPLETE'
    const version = world.versions.find(({ id }) => id === submission.versionId)
    if (version) version.state = 'DEVELOPER_REJECTED'
  }
  for (const build of world.builds) {
    build.isExpired ||= build.uploadedAt + BUILD_LIFE_MS <= now
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
 * An approved version goes out by itself, at once or at its time, unless it is released by hand.
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

/** A version takes the place of the one before, whose phased release is over. */
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
