import type { androidpublisher_v3 } from '@googleapis/androidpublisher'
import type { Observed, PluginContext, StoreVersion, StoreVersionState } from '@tarmac/plugin-kit'
import type { Seen } from './google.js'

/*
 * Releases of Google Play: what they are in our words, and what becomes of them in an edit.
 */

/** A release as an edit has it. Members that nobody here knows stay. */
export type TrackRelease = androidpublisher_v3.Schema$TrackRelease
export type Track = androidpublisher_v3.Schema$Track
type Summary = androidpublisher_v3.Schema$ReleaseSummary

export const PRODUCTION = 'production'

/** Tracks for testers of the house: their releases need no review. */
export const isInternal = (track: string) => /^(\w+:)?(internal|qa)$/.test(track)

/** A release on its track, and what Google says of its review. */
export interface Placed {
  track: string
  release: TrackRelease
  /** `IN_REVIEW`; null while no list shows the release. */
  lifecycle: string | null
  /** A change of it waits until a person sends it for review. */
  isUnsent: boolean
}

const PREFIX = 'RELEASE_LIFECYCLE_STATE_'
const UNSENT = 'NOT_SENT_FOR_REVIEW'

/** The releases of a track, as an edit has them, with what a list says of each. */
export function placedOn({ track, releases }: Track, summaries: readonly Summary[]): Placed[] {
  return (releases ?? []).map((release) => {
    const words = summariesFor(release, summaries).map((each) =>
      (each.releaseLifecycleState ?? '').replace(PREFIX, '')
    )
    // The rollout that users have goes before a change of it that waits.
    const lifecycle = words.find((each) => each === 'PUBLISHED') ?? words.at(0) ?? null
    return { track: track ?? '', release, lifecycle, isUnsent: words.includes(UNSENT) }
  })
}

/**
 * The summaries of a release. Releases share version codes that they retain, so the highest one
 * identifies them, or all of them if that one is retained.
 */
function summariesFor(release: TrackRelease, summaries: readonly Summary[]): Summary[] {
  const codes = codesOf(release)
  const listedIn = ({ activeArtifacts = [] }: Summary) =>
    activeArtifacts.map(({ versionCode }) => Number(versionCode))
  const alike = summaries.filter((each) => Math.max(0, ...listedIn(each)) === Math.max(0, ...codes))
  const same = alike.filter(
    (each) => new Set(listedIn(each)).symmetricDifference(new Set(codes)).size === 0
  )
  return same.length > 0 ? same : alike
}

/** States of a review in our words, and of what is published those of its rollout. */
const STATES: Readonly<Record<string, StoreVersionState>> = {
  DRAFT: 'preparing',
  NOT_SENT_FOR_REVIEW: 'readyForReview',
  IN_REVIEW: 'inReview',
  NOT_APPROVED: 'rejected',
  APPROVED_NOT_PUBLISHED: 'pendingRelease',
  inProgress: 'rolledOutPartially',
  halted: 'halted',
  completed: 'live',
}

/** The same as far as the review goes. */
const REVIEWS = {
  DRAFT: 'notSubmitted',
  NOT_SENT_FOR_REVIEW: 'notSubmitted',
  IN_REVIEW: 'inReview',
  NOT_APPROVED: 'rejected',
  APPROVED_NOT_PUBLISHED: 'approved',
  PUBLISHED: 'approved',
} as const

const ROLLOUTS: Readonly<Record<string, NonNullable<StoreVersion['rollout']>['state']>> = {
  draft: 'inactive',
  inProgress: 'active',
  halted: 'halted',
  completed: 'complete',
}

const PUBLISHED = 'PUBLISHED'

/** Only what users have is halted, and only what nobody was given is a draft. */
const SAID_BY_STATUS: Readonly<Record<string, string>> = { halted: PUBLISHED, draft: 'DRAFT' }

/** The state of a release by its list, or by its status if no list shows it yet. */
export const lifecycleOf = ({ lifecycle, release }: Placed) =>
  lifecycle ?? SAID_BY_STATUS[release.status ?? ''] ?? null

export const isOut = (placed: Placed) => lifecycleOf(placed) === PUBLISHED

/** The word of the store for where a release is. */
export function rawOf(placed: Placed): string {
  const lifecycle = lifecycleOf(placed)
  const { status } = placed.release
  if (lifecycle !== PUBLISHED) return lifecycle ?? status ?? ''
  // The edit has the waiting change, and nothing shows what users have.
  return placed.isUnsent ? PUBLISHED : (status ?? '')
}

function observed<State extends string>(
  ctx: PluginContext,
  states: Readonly<Record<string, State>>,
  raw: string,
  seen: Seen
): Observed<State> {
  const state = Object.hasOwn(states, raw) ? states[raw] : 'unknown'
  return { state, raw, ...seen, observedAt: ctx.now().toISOString() }
}

/** The state of a release. One that no list shows yet may be in review, whatever its status. */
export const stateOf = <State extends string>(
  ctx: PluginContext,
  states: Readonly<Record<string, State>>,
  placed: Placed,
  seen: Seen
): Observed<State> => observed(ctx, lifecycleOf(placed) === null ? {} : states, rawOf(placed), seen)

export const codesOf = ({ versionCodes }: TrackRelease): number[] =>
  (versionCodes ?? []).map(Number)

export const highestCode = (release: TrackRelease) => Math.max(0, ...codesOf(release))

export const holds = (release: TrackRelease, code: string) =>
  release.versionCodes?.includes(code) ?? false

/** Google has no ids of releases: one is known by its track and its highest version code. */
export const idOf = (track: string, release: TrackRelease) => `${track}/${highestCode(release)}`

/** @returns null for what is no such id */
export function partsOf(id: string): { track: string; code: number } | null {
  const [, track, code] = /^(.+)\/(\d+)$/.exec(id) ?? []
  return track === undefined ? null : { track, code: Number(code) }
}

/**
 * The version in the name of a release: Google has no other place for it. Its console writes `41
 * (1.3.0)`, its API the name of the version, and we write `1.3.0 (41)`.
 */
export function versionNameOf(name: string | null | undefined, codes: readonly number[]): string {
  const text = (name ?? '').trim()
  const [dotted] = /\d+(?:\.\d+)+(?:[-+][\w.-]*\w)?/.exec(text) ?? []
  if (dotted !== undefined) return dotted
  const plain = text.match(/\d+/g)?.find((each) => !codes.includes(Number(each)))
  return plain ?? (text === '' ? String(Math.max(0, ...codes)) : text)
}

/** Maximum length of a name. */
const MOST_OF_NAME = 50

export const nameOf = (version: string, code: string) => {
  const behind = ` (${code})`
  return `${version.slice(0, MOST_OF_NAME - behind.length)}${behind}`
}

export function versionOf(
  ctx: PluginContext,
  placed: Placed,
  seen: Seen,
  isObsolete = false
): StoreVersion {
  const { track, release, isUnsent } = placed
  const { name, status, userFraction, inAppUpdatePriority } = release
  const lifecycle = lifecycleOf(placed)
  const isPublished = lifecycle === PUBLISHED
  const isOver = isObsolete && status === 'inProgress'
  const stated = stateOf(ctx, STATES, placed, seen)
  const isManaged = lifecycle === 'APPROVED_NOT_PUBLISHED'
  const state = isPublished && !isOver ? ROLLOUTS[status ?? ''] : 'inactive'
  return {
    id: idOf(track, release),
    version: versionNameOf(name, codesOf(release)),
    track,
    buildNumbers: release.versionCodes ?? [],
    ...(name ? { name } : {}),
    status: isObsolete ? { ...stated, state: 'replaced' } : stated,
    ...(lifecycle === null ? {} : { review: observed(ctx, REVIEWS, lifecycle, seen) }),
    ...(isManaged ? { release: { method: 'manual' as const } } : {}),
    // No list shows it yet: nobody knows whether users have it.
    ...(state === undefined || lifecycle === null || (isPublished && isUnsent)
      ? {}
      : {
          rollout: {
            mode: 'staged' as const,
            state,
            raw: status ?? '',
            ...(isPublished ? { fraction: userFraction ?? 1 } : {}),
          },
        }),
    ...(typeof inAppUpdatePriority === 'number' ? { updatePriority: inAppUpdatePriority } : {}),
    ...(isUnsent ? { waitsForSending: true } : {}),
  }
}

/**
 * Returns whether a release of a track was replaced: by a higher one that all users have, or,
 * unless all users have it itself, by any higher one that users have.
 */
export function isReplaced(placed: Placed, all: readonly Placed[]): boolean {
  if (!isOut(placed)) return false
  const higher = all.filter(
    (each) =>
      each.track === placed.track &&
      isOut(each) &&
      // Users have nothing of a change that waits to be sent.
      !each.isUnsent &&
      highestCode(each.release) > highestCode(placed.release)
  )
  return higher.some(
    ({ release }) => release.status === 'completed' || placed.release.status !== 'completed'
  )
}

/** Initial share of a staged rollout where nobody gives one. */
export const FIRST_FRACTION = 0.01

/** A draft has no share: Google refuses one. */
export function drafted({ userFraction: _, ...release }: TrackRelease): TrackRelease {
  return { ...release, status: 'draft' }
}

export function completed({ userFraction: _, ...release }: TrackRelease): TrackRelease {
  return { ...release, status: 'completed' }
}

export const staged = (release: TrackRelease, userFraction: number): TrackRelease => ({
  ...release,
  status: 'inProgress',
  userFraction,
})

export const givenTo = (release: TrackRelease, share: number): TrackRelease =>
  share < 1 ? staged(release, share) : completed(release)

/**
 * The releases of a track with one of them changed. Google requires only the release that all users
 * have, and keeps the others by itself.
 */
export function withChanged(
  releases: readonly TrackRelease[],
  before: TrackRelease,
  after: TrackRelease
): TrackRelease[] {
  const isBelow = (each: TrackRelease) =>
    each.status !== 'draft' && highestCode(each) < highestCode(after)
  const kept =
    after.status === 'completed'
      ? releases.filter((each) => each === before || !isBelow(each))
      : releases
  return kept.map((each) => (each === before ? after : each))
}

/** The highest release of each status, and all drafts: a new one takes over a rolling one. */
export function highestOfEach(releases: readonly TrackRelease[]): TrackRelease[] {
  const isBelow = (each: TrackRelease) =>
    releases.some((other) => other.status === each.status && highestCode(other) > highestCode(each))
  return releases.filter((each) => each.status === 'draft' || !isBelow(each))
}

/**
 * Turns changes that wait for a person into drafts: a commit that sends something would send them,
 * too, and nobody asked for that.
 */
export const keepUnsent = (placed: readonly Placed[]): TrackRelease[] =>
  placed.map(({ release, lifecycle }) =>
    lifecycle === UNSENT && release.status !== 'draft' ? drafted(release) : release
  )
