import { highestCode, isWhole, publishedAt, releasesOf } from './play_releases.js'
import {
  playRefused,
  type PlayRefused,
  type PlayRelease,
  type PlayResult,
  type Rollout,
  type SimulatedPlay,
  type TrackRelease,
} from './play_state.js'

/*
 * The effect of a commit on the releases of a track, and the refusals of Google Play.
 */

interface Placing {
  track: string
  releases: readonly TrackRelease[]
  /** As for a commit. */
  isManaged: boolean | null
  isSent: boolean
}

/**
 * Puts releases on a track. Releases that are no longer named are removed, unless users have them.
 */
export function placeOn(store: SimulatedPlay, now: number, placing: Placing): PlayResult {
  const { track, releases: wanted } = placing
  const present = releasesOf(store, track, now)
  const placed: PlayRelease[] = []
  for (const one of wanted) {
    const known = present.find((each) => highestCode(each) === highestCode(one))
    const why =
      known && isOut(known, now)
        ? refusalOfPublished(store, known, one, now)
        : refusalOfUnpublished(store, { one, known, track }, now)
    if (why) return playRefused(why)
    placed.push(
      known ? changedRelease(store, known, one, now, placing) : newRelease(one, now, placing)
    )
  }
  const ids = new Set(placed.map(({ id }) => id))
  const others = store.releases.filter(
    (each) =>
      !ids.has(each.id) && (each.track !== track || isOut(each, now) || !present.includes(each))
  )
  return { store: { ...store, releases: [...others, ...placed] } }
}

export const isInternal = ({ tracks }: SimulatedPlay, track: string) =>
  tracks.some(({ id, internal }) => id === track && internal)

const isOut = (release: PlayRelease, now: number) => publishedAt(release, now) !== null

const isSame = (one: Rollout, other: Rollout) =>
  one.status === other.status && one.userFraction === other.userFraction

/** Returns why an unpublished release cannot change as wanted; null if it can. */
function refusalOfUnpublished(
  store: SimulatedPlay,
  { one, known, track }: { one: TrackRelease; known?: PlayRelease; track: string },
  now: number
): PlayRefused | null {
  const code = highestCode(one)
  const everOut = store.releases.filter((each) => each.track === track && isOut(each, now))
  if (everOut.some((each) => highestCode(each) === code)) return 'notUpgradable'
  if (one.status === 'halted') return 'statusNotAllowed'
  if (one.status === 'draft' || (known && isSame(known, one))) return null
  if (store.isDraftApp) return 'draftAppOnly'
  if (everOut.some((each) => highestCode(each) > code)) return 'notUpgradable'
  const isFirst = everOut.length === 0 && !store.hasBeenOut.includes(track)
  return one.status === 'inProgress' && isFirst ? 'firstNotStaged' : null
}

/** Returns why a published release cannot change as wanted; null if it can. */
function refusalOfPublished(
  store: SimulatedPlay,
  known: PlayRelease,
  { status }: TrackRelease,
  now: number
): PlayRefused | null {
  if (status === 'draft') return 'statusNotAllowed'
  if (known.status !== 'completed' || status === 'completed') return null
  if (status === 'inProgress') return 'fullyReleased'
  if (isInternal(store, known.track)) return 'statusNotAllowed'
  return hasPredecessor(store, known, now) ? null : 'firstNotHalted'
}

/** Returns whether users had another version of a track before this one. */
const hasPredecessor = (store: SimulatedPlay, release: PlayRelease, now: number) =>
  store.hasBeenOut.includes(release.track) ||
  store.releases.some(
    (each) =>
      each.track === release.track && isWhole(each, now) && highestCode(each) < highestCode(release)
  )

const newRelease = (
  one: TrackRelease,
  now: number,
  { track, isManaged }: Placing
): PlayRelease => ({
  ...one,
  id: `${track}-${highestCode(one)}`,
  track,
  history: [{ at: now, status: one.status, userFraction: one.userFraction, submission: null }],
  submission: null,
  attempts: 0,
  isManaged: isManaged ?? false,
  publishedByHandAt: null,
  pinned: null,
})

function changedRelease(
  store: SimulatedPlay,
  known: PlayRelease,
  { versionCodes, name, status, userFraction, notes, inAppUpdatePriority }: TrackRelease,
  now: number,
  { isManaged, isSent }: Placing
): PlayRelease {
  const wanted = { status, userFraction }
  const same = { ...known, versionCodes, name, notes }
  if (isOut(known, now)) {
    if (!isSent && !isInternal(store, known.track)) {
      const unsent = isSame(known, wanted) ? null : wanted
      return isSame(known.unsent ?? known, wanted) ? same : withRollout(same, { unsent }, now)
    }
    const isDone = !known.unsent && isSame(known, wanted)
    return isDone ? same : withRollout(same, { ...wanted, unsent: null }, now)
  }
  const next = isSame(known, wanted) ? same : withRollout(same, wanted, now)
  const prioritized = inAppUpdatePriority === undefined ? next : { ...next, inAppUpdatePriority }
  const reviewable = isForAnotherReview(known, next, now)
    ? withRollout(prioritized, { submission: null }, now)
    : prioritized
  return { ...reviewable, isManaged: isManaged ?? known.isManaged }
}

/**
 * Returns whether a finished review no longer counts: after a change of the rollout, and after any
 * change of a rejected release. An unchanged rejected release gets no other review.
 */
function isForAnotherReview(before: PlayRelease, after: PlayRelease, now: number): boolean {
  const { submission } = before
  if (submission === null || now < submission.endsAt) return false
  if (!isSame(before, after)) return true
  const contentOf = ({ versionCodes, name, notes }: PlayRelease) =>
    JSON.stringify([versionCodes, name, notes])
  return !submission.isApproved && contentOf(before) !== contentOf(after)
}

/**
 * Changes the rollout or review of a release; its history lets lists show the old one for a while.
 */
export function withRollout(
  release: PlayRelease,
  change: Partial<Pick<PlayRelease, 'status' | 'userFraction' | 'submission' | 'unsent'>>,
  now: number
): PlayRelease {
  const next = { ...release, ...change }
  const { status, userFraction, submission, unsent = null, history } = next
  // If two changes have the same instant, nobody sees the first.
  const before = history.at(-1)?.at === now ? history.slice(0, -1) : history
  return {
    ...next,
    history: [...before, { at: now, status, userFraction, submission, unsent }],
  }
}
