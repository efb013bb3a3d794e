import type { StoreVersion, StoreVersionState } from '#plugin-kit/capabilities/stores'
import type { PluginContext } from '#plugin-kit/context'
import { observed, type Seen } from '../shared/world_pages.js'

/*
 * Releases of Google Play: their states in terms of the plugin kit, and their changes in an edit.
 */

/** A release in an edit. */
export interface EditRelease {
  id?: string
  name: string | null
  versionCodes: string[]
  status: 'draft' | 'inProgress' | 'halted' | 'completed'
  userFraction: number | null
  releaseNotes: { language: string; text: string }[]
  /** 0 to 5; absent if an edit has none. */
  inAppUpdatePriority?: number
}

/** A release in the lists of tracks. */
export interface WorldRelease extends EditRelease {
  id: string
  track: string
  versionName: string
  bundleId?: string
  releaseLifecycleState: string
  submissionId: string | null
  managedPublishing: boolean
  waitsForSending: boolean
}

/**
 * The plugin kit's states for `releaseLifecycleState` of Google Play, and for the status of a
 * published release.
 */
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

/** The plugin kit's states of a review for `releaseLifecycleState`. */
const REVIEWS = {
  DRAFT: 'notSubmitted',
  NOT_SENT_FOR_REVIEW: 'notSubmitted',
  IN_REVIEW: 'inReview',
  NOT_APPROVED: 'rejected',
  APPROVED_NOT_PUBLISHED: 'approved',
  PUBLISHED: 'approved',
} as const

const ROLLOUTS = {
  draft: 'inactive',
  inProgress: 'active',
  halted: 'halted',
  completed: 'complete',
} as const

export const isPublished = ({ releaseLifecycleState }: WorldRelease) =>
  releaseLifecycleState === 'PUBLISHED'

/** Returns the store's own name for the state of a release. */
export const rawOf = (release: WorldRelease) =>
  isPublished(release) ? release.status : release.releaseLifecycleState

export function versionOf(
  ctx: PluginContext,
  release: WorldRelease,
  seen: Seen,
  isObsolete = false
): StoreVersion {
  const { id, name, versionName, track, bundleId, status, userFraction } = release
  const isOut = isPublished(release)
  const isSuperseded = isObsolete && status === 'inProgress'
  const stated = observed(ctx, STATES, rawOf(release), seen)
  return {
    id,
    version: versionName,
    track,
    buildNumbers: release.versionCodes,
    ...(bundleId === undefined ? {} : { buildId: bundleId }),
    ...(name === null ? {} : { name }),
    status: isObsolete ? { ...stated, state: 'replaced' } : stated,
    review: observed(ctx, REVIEWS, release.releaseLifecycleState, seen),
    ...(release.submissionId === null ? {} : { submissionId: release.submissionId }),
    updatePriority: release.inAppUpdatePriority ?? 0,
    release: { method: release.managedPublishing ? 'manual' : 'auto' },
    rollout: {
      mode: 'staged',
      state: isOut && !isSuperseded ? ROLLOUTS[status] : 'inactive',
      raw: status,
      ...(isOut ? { fraction: userFraction ?? 1 } : {}),
    },
    ...(release.waitsForSending ? { waitsForSending: true } : {}),
  }
}

const codeOf = ({ versionCodes }: EditRelease) => Math.max(...versionCodes.map(Number))

/**
 * Returns whether a release of a track was replaced: by a higher one that all users have, or,
 * unless all users have it itself, by any higher one that users have.
 */
export function isReplaced(release: WorldRelease, listed: readonly WorldRelease[]): boolean {
  if (!isPublished(release)) return false
  const higher = listed.filter(
    (each) => each.track === release.track && isPublished(each) && codeOf(each) > codeOf(release)
  )
  return higher.some(({ status }) => status === 'completed' || release.status !== 'completed')
}

/** Initial share of a staged rollout. */
export const FIRST_FRACTION = 0.01

/** Maximum length of a name without its share, in characters: Google allows 50 in all. */
const MAX_NAME_LENGTH = 38
const SHARE = /, (\d+(?:\.\d+)?) %$/

/**
 * Turns a release into a draft. Google stores no share of a draft, so its name holds it. Only the
 * console shows the name: `4.2.0 (17), 20 %`.
 */
export function drafted(release: Omit<EditRelease, 'status'>): EditRelease {
  const share = Number(((release.userFraction ?? 1) * 100).toFixed(4))
  const name = `${plainName(release).slice(0, MAX_NAME_LENGTH)}, ${share} %`
  return { ...release, name, status: 'draft', userFraction: null }
}

/**
 * Turns a draft into a release that can be sent for review. A draft that a person created starts
 * with few users.
 * @param initial the initial share of users; by default that in its name
 */
export function undrafted(release: EditRelease, initial?: number): EditRelease {
  if (release.status !== 'draft') return release
  const share = SHARE.exec(release.name ?? '')?.[1]
  const shareInName = share === undefined ? FIRST_FRACTION : Number(share) / 100
  const fraction = initial ?? shareInName
  const plain = { ...release, name: plainName(release) }
  return fraction > 0 && fraction < 1 ? staged(plain, fraction) : completed(plain)
}

const plainName = ({ name, versionCodes }: Omit<EditRelease, 'status'>) =>
  (name ?? versionCodes.join(', ')).replace(SHARE, '')

export const completed = (release: EditRelease): EditRelease => ({
  ...release,
  status: 'completed',
  userFraction: null,
})

export const staged = (release: EditRelease, userFraction: number): EditRelease => ({
  ...release,
  status: 'inProgress',
  userFraction,
})

/**
 * Turns unsent changes into drafts: otherwise a commit that sends something would send them, too,
 * without a request. Changes that lists do not show yet may be in review, and stay.
 * @param listed the releases of the track as lists show them
 */
export function keepUnsent<Release extends EditRelease>(
  releases: readonly Release[],
  listed: readonly WorldRelease[]
): EditRelease[] {
  const unsent = new Set(
    listed.flatMap(({ id, releaseLifecycleState }) =>
      releaseLifecycleState === 'NOT_SENT_FOR_REVIEW' ? [id] : []
    )
  )
  return releases.map((each) =>
    each.status !== 'draft' && unsent.has(each.id ?? '') ? drafted(each) : each
  )
}
