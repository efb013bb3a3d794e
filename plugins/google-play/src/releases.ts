import type { androidpublisher_v3 } from '@googleapis/androidpublisher'
import type { Observed, PluginContext, StoreVersion, StoreVersionState } from '@tarmac/plugin-kit'
import type { Freshness } from './google.js'

/*
 * Releases of Google Play: their translation into the kit's terms, and their changes in an edit.
 */

/** A release within an edit. Unknown members are kept. */
export type TrackRelease = androidpublisher_v3.Schema$TrackRelease
export type Track = androidpublisher_v3.Schema$Track
type Summary = androidpublisher_v3.Schema$ReleaseSummary

export const PRODUCTION = 'production'

/** Returns whether a track is for internal testers, whose releases need no review. */
export const isInternal = (track: string) => /^(\w+:)?(internal|qa)$/.test(track)

/** A release on its track, with the state of its review. */
export interface Placed {
  track: string
  release: TrackRelease
  /** The state in Google's terms, such as `IN_REVIEW`; null while no list shows the release. */
  lifecycle: string | null
  /** A change of the release waits until a person submits it for review. */
  isUnsent: boolean
}

const PREFIX = 'RELEASE_LIFECYCLE_STATE_'
const UNSENT = 'NOT_SENT_FOR_REVIEW'

/** Combines the releases of a track in an edit with their summaries in a list. */
export function placedOn({ track, releases }: Track, summaries: readonly Summary[]): Placed[] {
  return (releases ?? []).map((release) => {
    const words = summariesFor(release, summaries).map((each) =>
      (each.releaseLifecycleState ?? '').replace(PREFIX, '')
    )
    // The published rollout takes precedence over a change that waits.
    const lifecycle = words.find((each) => each === 'PUBLISHED') ?? words.at(0) ?? null
    return { track: track ?? '', release, lifecycle, isUnsent: words.includes(UNSENT) }
  })
}

/**
 * Returns the summaries of a release. Releases share version codes that they retain, so the highest
 * one identifies them, or all of them if that one is retained.
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

/** The kit's states by Google's state of the review, or of the rollout for a published release. */
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

/** The kit's states of the review alone. */
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

/**
 * Statuses that reveal the state without a list: only published releases are halted, only
 * unpublished ones are drafts.
 */
const SAID_BY_STATUS: Readonly<Record<string, string>> = { halted: PUBLISHED, draft: 'DRAFT' }

/** Returns the state of a release from its list, or from its status if no list shows it yet. */
export const lifecycleOf = ({ lifecycle, release }: Placed) =>
  lifecycle ?? SAID_BY_STATUS[release.status ?? ''] ?? null

export const isOut = (placed: Placed) => lifecycleOf(placed) === PUBLISHED

/** Returns Google's state of a release. */
export function rawOf(placed: Placed): string {
  const lifecycle = lifecycleOf(placed)
  const { status } = placed.release
  if (lifecycle !== PUBLISHED) return lifecycle ?? status ?? ''
  // The edit shows the waiting change; what users have is not visible.
  return placed.isUnsent ? PUBLISHED : (status ?? '')
}

function observed<State extends string>(
  ctx: PluginContext,
  states: Readonly<Record<string, State>>,
  raw: string,
  seen: Freshness
): Observed<State> {
  const state = Object.hasOwn(states, raw) ? states[raw] : 'unknown'
  return { state, raw, ...seen, observedAt: ctx.now().toISOString() }
}

/**
 * Returns the observed state of a release. One that no list shows yet may be in review, whatever
 * its status.
 */
export const stateOf = <State extends string>(
  ctx: PluginContext,
  states: Readonly<Record<string, State>>,
  placed: Placed,
  seen: Freshness
): Observed<State> => observed(ctx, lifecycleOf(placed) === null ? {} : states, rawOf(placed), seen)

export const codesOf = ({ versionCodes }: TrackRelease): number[] =>
  (versionCodes ?? []).map(Number)

export const highestCode = (release: TrackRelease) => Math.max(0, ...codesOf(release))

export const holds = (release: TrackRelease, code: string) =>
  release.versionCodes?.includes(code) ?? false

/**
 * Makes the id of a release from its track and its highest version code, because Google has no ids.
 */
export const idOf = (track: string, release: TrackRelease) => `${track}/${highestCode(release)}`

/** @returns null for an invalid id */
export function partsOf(id: string): { track: string; code: number } | null {
  const [, track, code] = /^(.+)\/(\d+)$/.exec(id) ?? []
  return track === undefined ? null : { track, code: Number(code) }
}

/**
 * Returns the version in the name of a release, which is the only place for it. Google's console
 * writes `41 (1.3.0)`, its API the version alone, and the plugin writes `1.3.0 (41)`.
 */
export function versionNameOf(name: string | null | undefined, codes: readonly number[]): string {
  const text = (name ?? '').trim()
  const [dotted] = /\d+(?:\.\d+)+(?:[-+][\w.-]*\w)?/.exec(text) ?? []
  if (dotted !== undefined) return dotted
  const plain = text.match(/\d+/g)?.find((each) => !codes.includes(Number(each)))
  return plain ?? (text === '' ? String(Math.max(0, ...codes)) : text)
}

/** Maximum length of a name. */
const MAX_OF_NAME = 50

export const nameOf = (version: string, code: string) => {
  const behind = ` (${code})`
  return `${version.slice(0, MAX_OF_NAME - behind.length)}${behind}`
}

export function versionOf(
  ctx: PluginContext,
  placed: Placed,
  seen: Freshness,
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
    // While no list shows it, it is unknown whether users have it.
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
 * Returns whether a release was replaced on its track: by a higher completed one, or, if it is not
 * completed itself, by any higher published one.
 */
export function isReplaced(placed: Placed, all: readonly Placed[]): boolean {
  if (!isOut(placed)) return false
  const higher = all.filter(
    (each) =>
      each.track === placed.track &&
      isOut(each) &&
      // A change that waits for its submission has not reached users.
      !each.isUnsent &&
      highestCode(each.release) > highestCode(placed.release)
  )
  return higher.some(
    ({ release }) => release.status === 'completed' || placed.release.status !== 'completed'
  )
}

/** Default initial share of a staged rollout. */
export const FIRST_FRACTION = 0.01

/** Turns a release into a draft, without a share, which Google would refuse. */
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
 * Returns the releases of a track with one of them changed. Google requires the completed release
 * among them, and keeps the others by itself.
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

/** Returns the highest release of each status, and all drafts. */
export function highestOfEach(releases: readonly TrackRelease[]): TrackRelease[] {
  const isBelow = (each: TrackRelease) =>
    releases.some((other) => other.status === each.status && highestCode(other) > highestCode(each))
  return releases.filter((each) => each.status === 'draft' || !isBelow(each))
}

/**
 * Turns changes that wait for a person into drafts, because a commit would submit them, too,
 * without a request.
 */
export const keepUnsent = (placed: readonly Placed[]): TrackRelease[] =>
  placed.map(({ release, lifecycle }) =>
    lifecycle === UNSENT && release.status !== 'draft' ? drafted(release) : release
  )
