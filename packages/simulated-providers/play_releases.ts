import {
  playRefused,
  PRODUCTION,
  type PlayBundle,
  type PlayRelease,
  type PlayResult,
  type SimulatedPlay,
} from './play_state.js'
import type { TimeOut } from './store_reviews.js'

/*
 * The state of bundles and releases of a simulated Google Play at an instant.
 */

/** Uploads a bundle. A version code is accepted once, whatever the version. */
export function uploadBundle(
  store: SimulatedPlay,
  now: number,
  { versionCode, versionName }: { versionCode: number; versionName: string },
  isStuck = false
): PlayResult {
  const isTaken = store.bundles.some((each) => each.versionCode === versionCode)
  if (isTaken) return playRefused('versionCodeTaken')
  const bundle: PlayBundle = {
    id: String(versionCode),
    versionCode,
    versionName,
    uploadedAt: now,
    processedAt: isStuck ? null : now + store.settings.processingMs,
    pinned: null,
  }
  return { store: { ...store, bundles: [...store.bundles, bundle] } }
}

/** Returns `PROCESSING`, `VALID`, or the state that a scenario gives it. */
export function bundleState({ pinned, processedAt }: PlayBundle, now: number): string {
  if (pinned !== null) return pinned
  return processedAt === null || now < processedAt ? 'PROCESSING' : 'VALID'
}

type LifecycleState =
  | 'DRAFT'
  | 'NOT_SENT_FOR_REVIEW'
  | 'IN_REVIEW'
  | 'NOT_APPROVED'
  | 'APPROVED_NOT_PUBLISHED'
  | 'PUBLISHED'

/** Returns a state of `releaseLifecycleState`, or the state that a scenario gives it. */
export function lifecycleOf(release: PlayRelease, now: number): string {
  return release.pinned ?? statedBy(release, now)
}

function statedBy(release: PlayRelease, now: number): LifecycleState {
  const { status, submission } = release
  if (publishedAt(release, now) !== null) return 'PUBLISHED'
  if (status === 'draft') return 'DRAFT'
  if (!submission) return 'NOT_SENT_FOR_REVIEW'
  if (now < submission.endsAt) return 'IN_REVIEW'
  return submission.isApproved ? 'APPROVED_NOT_PUBLISHED' : 'NOT_APPROVED'
}

/** Returns when a release reached users; null while it has not. */
export function publishedAt(release: PlayRelease, now: number): number | null {
  const { submission, isManaged, publishedByHandAt } = release
  if (!submission?.isApproved) return null
  const at = isManaged ? publishedByHandAt : submission.endsAt
  return at !== null && at <= now ? at : null
}

export const highestCode = ({ versionCodes }: Pick<PlayRelease, 'versionCodes'>) =>
  Math.max(...versionCodes)

/** Returns whether a release is published to all users (whole), and not halted. */
export const isWhole = (release: PlayRelease, now: number) =>
  release.status === 'completed' && publishedAt(release, now) !== null

/**
 * Returns the releases of a track that are not obsolete: the highest whole one, the highest
 * published one if it is above that, and those that are not published. While a whole one is halted,
 * the whole one before it counts again.
 */
export function releasesOf(store: SimulatedPlay, track: string, now: number): PlayRelease[] {
  const all = releasesWithObsolete(store, track)
  const out = all.filter((each) => publishedAt(each, now) !== null)
  const whole = Math.max(0, ...out.filter((each) => isWhole(each, now)).map(highestCode))
  const highest = Math.max(0, ...out.map(highestCode))
  return all.filter((each) => {
    const code = highestCode(each)
    return !out.includes(each) || code === whole || (code > whole && code === highest)
  })
}

const releasesWithObsolete = ({ releases }: SimulatedPlay, track: string) =>
  releases.filter((each) => each.track === track)

/**
 * Returns the releases of a track as they were at an instant.
 * @param which `all` includes the obsolete ones
 */
export function releasesAsOf(
  store: SimulatedPlay,
  track: string,
  at: number,
  which: 'current' | 'all' = 'current'
): PlayRelease[] {
  const then = { ...store, releases: store.releases.flatMap((each) => asOf(each, at) ?? []) }
  return which === 'all' ? releasesWithObsolete(then, track) : releasesOf(then, track, at)
}

/** Returns the time whose state a list shows now. */
export const listedAt = ({ settings }: SimulatedPlay, now: number) => now - settings.lagMs

/**
 * Returns a release as it was at an instant, as a list with a lag shows it; null before it existed.
 */
export function asOf(release: PlayRelease, at: number): PlayRelease | null {
  const history = release.history.filter((each) => each.at <= at)
  const then = history.at(-1)
  if (!then) return null
  const { status, userFraction, submission = sentBy(release.submission, at), unsent } = then
  return { ...release, status, userFraction, unsent, history, submission }
}

const sentBy = (submission: PlayRelease['submission'], at: number) =>
  submission && submission.at <= at ? submission : null

/** Returns whether a part of a release has no effect until it is sent for review. */
export const waitsForSending = (release: PlayRelease, now: number) =>
  Boolean(release.unsent) || lifecycleOf(release, now) === 'NOT_SENT_FOR_REVIEW'

/** Returns the name of the version of a release. */
export function versionNameOf({ bundles }: SimulatedPlay, release: PlayRelease): string {
  const code = highestCode(release)
  return bundles.find(({ versionCode }) => versionCode === code)?.versionName ?? ''
}

/** Returns when versions were available to users. */
export function playTimesOut(store: SimulatedPlay, now: number): TimeOut[] {
  const outs = store.releases
    .filter(({ track }) => track === PRODUCTION)
    .flatMap((each) => {
      const from = publishedAt(each, now)
      return from === null ? [] : [{ version: versionNameOf(store, each), from }]
    })
    .sort((one, other) => one.from - other.from)
  return outs.map((each, index) => ({ ...each, until: outs[index + 1]?.from ?? null }))
}
