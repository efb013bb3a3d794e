import { REFUSALS } from './refusals.js'

/*
 * An app in Google Play: the releases on its tracks, with their reviews and rollouts.
 */

export type TrackStatus = 'draft' | 'inProgress' | 'halted' | 'completed'

/** A release within an edit. */
export interface EditRelease {
  name: string | null
  versionCodes: readonly number[]
  status: TrackStatus
  userFraction: number | null
  notes: readonly { language: string; text: string }[]
  priority: number | null
}

type Rollout = Pick<EditRelease, 'status' | 'userFraction'>

/** A release in the store. */
export interface StoreRelease extends EditRelease {
  track: string
  review: 'none' | 'inReview' | 'approved' | 'rejected'
  /** Users have it, or had it. */
  isOut: boolean
  /**
   * A changed rollout that waits until somebody submits it for review; users still have the old
   * one.
   */
  unsent: Rollout | null
  submissions: number
  /** A state that a scenario pins, such as one that Google added. */
  pinned: string | null
}

export const PRODUCTION = 'production'

export const isInternal = (track: string) => track === 'internal'

export const highestCode = ({ versionCodes }: Pick<EditRelease, 'versionCodes'>) =>
  Math.max(...versionCodes)

const WORDS = {
  none: 'NOT_SENT_FOR_REVIEW',
  inReview: 'IN_REVIEW',
  approved: 'APPROVED_NOT_PUBLISHED',
  rejected: 'NOT_APPROVED',
} as const

/** Returns the value of `releaseLifecycleState`. */
export function lifecycleOf({ pinned, isOut, status, review }: StoreRelease): string {
  if (pinned !== null) return pinned
  if (isOut) return 'PUBLISHED'
  return status === 'draft' ? 'DRAFT' : WORDS[review]
}

export interface Committing {
  changesNotSentForReview: boolean
  cancelsReview: boolean
}

export class PlayStore {
  tracks: string[] = ['internal', 'alpha', 'beta', PRODUCTION]
  /** Version codes of all uploads. */
  library = new Set<number>()
  /** Version codes of uploaded APKs. */
  apks = new Set<number>()
  releases: StoreRelease[] = []
  listings = new Map<string, Record<string, string>>()
  /** Tracks with an earlier published release that is not in `releases`. */
  hasBeenOut = new Set(['internal', 'alpha', 'beta', PRODUCTION])
  /** The app was never published. */
  isDraftApp = false
  /** Only a person submits changes for review, so every commit must say so. */
  isSentByHand = false
  /** Approved changes wait until a person publishes them. */
  isManaged = false
  /** A track accepts only one release that rolls out, and one that is halted. */
  hasOneRollout = false

  /**
   * Returns the releases that a track shows: the highest completed one, the highest published one
   * above it, and all unpublished ones.
   */
  on(track: string): StoreRelease[] {
    const all = this.releases.filter((each) => each.track === track)
    const out = all.filter((each) => each.isOut)
    const whole = Math.max(0, ...out.filter((each) => each.status === 'completed').map(highestCode))
    const highest = Math.max(0, ...out.map(highestCode))
    return all.filter((each) => {
      const code = highestCode(each)
      return !each.isOut || code === whole || (code > whole && code === highest)
    })
  }

  /** Commits the releases of an edit, all or none. */
  commit(changes: ReadonlyMap<string, readonly EditRelease[]>, how: Committing): void {
    const isForReview = [...changes.keys()].some((track) => !isInternal(track))
    if (this.isSentByHand && isForReview && !how.changesNotSentForReview) {
      throw REFUSALS.notSentAutomatically()
    }
    if (!this.isSentByHand && how.changesNotSentForReview) throw REFUSALS.sentAutomatically()
    const inReview = this.releases.filter((each) => lifecycleOf(each) === 'IN_REVIEW')
    if (isForReview && inReview.length > 0) {
      if (!how.cancelsReview) throw REFUSALS.reviewInProgress()
    }
    for (const [track, wanted] of changes) this.#requirePlaceable(track, wanted)
    const isBusy = isForReview && inReview.length > 0
    if (isBusy) for (const each of inReview) each.review = 'none'
    const isSent = !how.changesNotSentForReview
    for (const [track, wanted] of changes) this.#place(track, wanted, isSent)
    if (isForReview && isSent) this.send()
    this.send(({ track }) => isInternal(track))
  }

  #requirePlaceable(track: string, wanted: readonly EditRelease[]): void {
    const present = this.on(track)
    for (const one of wanted) {
      const known = present.find((each) => highestCode(each) === highestCode(one))
      if (known?.isOut) this.#requireRollable(known, one)
      else this.#requireReleasable(track, one, known)
    }
  }

  #requireReleasable(track: string, one: EditRelease, known: StoreRelease | undefined): void {
    const out = this.releases.filter((each) => each.track === track && each.isOut)
    const code = highestCode(one)
    if (out.some((each) => highestCode(each) === code)) throw REFUSALS.codeUsed(code)
    if (one.status === 'halted') throw REFUSALS.statusNotAllowed(one.status)
    if (one.status === 'draft' || (known && isSameRollout(known, one))) return
    if (this.isDraftApp) throw REFUSALS.draftAppOnly()
    if (out.some((each) => highestCode(each) > code)) throw REFUSALS.notUpgradable()
    const isFirst = out.length === 0 && !this.hasBeenOut.has(track)
    if (one.status === 'inProgress' && isFirst) throw REFUSALS.firstNotStaged()
  }

  #requireRollable(known: StoreRelease, { status }: EditRelease): void {
    if (status === 'draft') throw REFUSALS.statusNotAllowed(status)
    if (known.status !== 'completed' || status === 'completed') return
    if (status === 'inProgress') throw REFUSALS.fullyReleased()
    if (isInternal(known.track)) throw REFUSALS.statusNotAllowed(status)
    const hasPredecessor =
      this.hasBeenOut.has(known.track) ||
      this.releases.some(
        (each) => each.track === known.track && each.isOut && highestCode(each) < highestCode(known)
      )
    if (!hasPredecessor) throw REFUSALS.firstNotHalted()
  }

  /** Puts releases on a track. Unpublished ones that are not named any more are removed. */
  #place(track: string, wanted: readonly EditRelease[], isSent: boolean): void {
    const present = this.on(track)
    const named = new Set<StoreRelease>()
    for (const one of wanted) {
      const known = present.find((each) => highestCode(each) === highestCode(one))
      if (known) {
        named.add(known)
        change(known, one, isSent)
      } else {
        const fresh = newRelease(track, one)
        named.add(fresh)
        this.releases.push(fresh)
      }
    }
    const isGone = (each: StoreRelease) => present.includes(each) && !each.isOut && !named.has(each)
    this.releases = this.releases.filter((each) => !isGone(each))
  }

  /** Submits waiting changes for review, as a commit or a person in the console does. */
  send(isMeant: (release: StoreRelease) => boolean = () => true): void {
    for (const each of this.releases.filter(isMeant)) {
      if (each.unsent) Object.assign(each, each.unsent, { unsent: null })
      if (lifecycleOf(each) !== 'NOT_SENT_FOR_REVIEW') continue
      each.review = isInternal(each.track) ? 'approved' : 'inReview'
      each.submissions += 1
      each.isOut = isInternal(each.track)
    }
  }

  /** Ends all reviews. Approved releases are published, unless managed publishing holds them. */
  decide(verdict: 'approved' | 'rejected'): void {
    for (const each of this.releases.filter((one) => lifecycleOf(one) === 'IN_REVIEW')) {
      each.review = verdict
      each.isOut = verdict === 'approved' && !this.isManaged
    }
  }

  /** Plays a person who publishes the approved releases in the console. */
  publish(): void {
    for (const each of this.releases) if (each.review === 'approved') each.isOut = true
  }
}

const isSameRollout = (one: Rollout, other: Rollout) =>
  one.status === other.status && one.userFraction === other.userFraction

const newRelease = (track: string, one: EditRelease): StoreRelease => ({
  ...one,
  track,
  ...{ review: 'none', isOut: false, unsent: null, submissions: 0, pinned: null },
})

function change(known: StoreRelease, one: EditRelease, isSent: boolean): void {
  const { name, versionCodes, notes, priority, status, userFraction } = one
  const wasReported = JSON.stringify([known.name, known.versionCodes, known.notes])
  const isSame = isSameRollout(known, one)
  // The priority of a published release cannot be changed any more.
  Object.assign(known, { name, versionCodes, notes }, known.isOut ? {} : { priority })
  if (known.isOut) {
    const inForce = { status, userFraction }
    if (isSent || isInternal(known.track)) Object.assign(known, inForce, { unsent: null })
    else known.unsent = isSame ? known.unsent : inForce
    return
  }
  Object.assign(known, { status, userFraction })
  const isOther = wasReported !== JSON.stringify([name, versionCodes, notes])
  const isOver = known.review === 'approved' || known.review === 'rejected'
  // A rejected release that is unchanged is not reviewed again.
  if (isOver && (!isSame || (known.review === 'rejected' && isOther))) known.review = 'none'
}
