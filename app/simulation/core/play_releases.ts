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
 * Where bundles and releases of a simulated Google Play are at an instant.
 */

/** Version codes come once, whatever the version. */
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

/** `PROCESSING`, `VALID`, or what a scenario calls it. */
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

/** A state of `releaseLifecycleState`, or what a scenario calls it. */
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

/** When a release came to users; null while it has not. */
export function publishedAt(release: PlayRelease, now: number): number | null {
  const { submission, isManaged, publishedByHandAt } = release
  if (!submission?.isApproved) return null
  const at = isManaged ? publishedByHandAt : submission.endsAt
  return at !== null && at <= now ? at : null
}

export const highestCode = ({ versionCodes }: Pick<PlayRelease, 'versionCodes'>) =>
  Math.max(...versionCodes)

/** Whether everybody once got it, even if it is halted now; what was meant before does not count. */
export function wasWhole(release: PlayRelease, now: number): boolean {
  const from = publishedAt(release, now)
  if (from === null) return false
  const isAfter = (next: { at: number } | undefined) => next === undefined || next.at > from
  return release.history.some(
    ({ status }, index, all) => status === 'completed' && isAfter(all[index + 1])
  )
}

/**
 * The releases of a track that are not obsolete: a whole one replaces all that came before it, and
 * of staged ones the highest takes over the others.
 */
export function releasesOf(store: SimulatedPlay, track: string, now: number): PlayRelease[] {
  const all = store.releases.filter((each) => each.track === track)
  const out = all.filter((each) => publishedAt(each, now) !== null)
  const whole = out.filter((each) => wasWhole(each, now))
  const wholes = Math.max(0, ...whole.map(highestCode))
  const staged = Math.max(0, ...out.map(highestCode))
  return all.filter((each) => {
    if (!out.includes(each)) return true
    const code = highestCode(each)
    return whole.includes(each) ? code === wholes : code > wholes && code === staged
  })
}

/** The releases of a track as they were at an instant, whatever was committed since. */
export function releasesAsOf(store: SimulatedPlay, track: string, at: number): PlayRelease[] {
  const releases = store.releases.flatMap((each) => asOf(each, at) ?? [])
  return releasesOf({ ...store, releases }, track, at)
}

/** When lists show how things were that are asked for now. */
export const listedAt = ({ settings }: SimulatedPlay, now: number) => now - settings.lagMs

/** A release as a list shows it that is not up to date: as of an instant; null before it was. */
export function asOf(release: PlayRelease, at: number): PlayRelease | null {
  const history = release.history.filter((each) => each.at <= at)
  const then = history.at(-1)
  if (!then) return null
  const { status, userFraction, submission = sentBy(release.submission, at) } = then
  return { ...release, status, userFraction, history, submission }
}

const sentBy = (submission: PlayRelease['submission'], at: number) =>
  submission && submission.at <= at ? submission : null

/** The name of the version that a release brings. */
export function versionNameOf({ bundles }: SimulatedPlay, release: PlayRelease): string {
  const code = highestCode(release)
  return bundles.find(({ versionCode }) => versionCode === code)?.versionName ?? ''
}

/** When versions were to be had by users, of those that ever were. */
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
