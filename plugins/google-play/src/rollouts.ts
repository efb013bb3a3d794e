import { isProviderError, type AppStore, type StoreVersion } from '@tarmac/plugin-kit'
import { withEdit, type Edit } from './edits.js'
import { refused } from './errors.js'
import {
  freshnessOfList,
  freshnessOfEdit,
  matchesError,
  type GooglePlay,
  type Freshness,
} from './google.js'
import {
  completed,
  givenTo,
  idOf,
  isOut,
  isReplaced,
  keepUnsent,
  partsOf,
  placedOn,
  staged,
  versionOf,
  withChanged,
  type TrackRelease,
} from './releases.js'
import { summariesOf } from './track_lists.js'

type Rollout = Parameters<AppStore['setRollout']>[1]
type Change = { before: StoreVersion; after: StoreVersion }

interface Rolling {
  versionId: string
  track: string
  to: Rollout
  isStop: boolean
  replacesReview: boolean
  /** The state that the first edit found; null before it. */
  began: string | null
}

/**
 * Reads and changes a rollout in one edit: five calls, or four if nothing changes.
 * @throws ProviderError `conflict` with the reason `reviewInProgress` if a review prevents the
 * growth
 */
export async function rollOut(
  play: GooglePlay,
  versionId: string,
  to: Rollout,
  { onReviewInProgress }: { onReviewInProgress: 'fail' | 'replace' }
): Promise<Change> {
  requireShare(to)
  const { track } = partsOf(versionId) ?? { track: null }
  if (track === null) throw unknown(versionId)
  const isStop = 'action' in to && (to.action === 'pause' || to.action === 'halt')
  const replacesReview = onReviewInProgress === 'replace'
  const seen = freshnessOfList(play.ctx)
  const reading = summariesOf(play, track)
  const summaries = await (isStop ? reading.catch(noList) : reading)
  const change: Rolling = { versionId, track, to, isStop, replacesReview, began: null }
  return withEdit(play, (edit) => roll(play, edit, { change, summaries, seen }), { isStop })
}

/** A stop works even if the list cannot be read. */
function noList(error: unknown): null {
  if (!isProviderError(error)) throw error
  return null
}

async function roll(
  play: GooglePlay,
  edit: Edit,
  {
    change,
    summaries,
    seen,
  }: { change: Rolling; summaries: Parameters<typeof placedOn>[1] | null; seen: Freshness }
): Promise<Change> {
  const { ctx } = play
  const { versionId, track, isStop, replacesReview } = change
  const now = freshnessOfEdit(ctx)
  const placed = placedOn({ track, releases: await edit.releases(track) }, summaries ?? [])
  const known = placed.find(({ release }) => idOf(track, release) === versionId)
  if (!known) throw unknown(versionId)
  if (!isStop && isReplaced(known, placed)) throw replaced()
  const was = known.release
  // The edit is a repetition, and somebody stopped the rollout meanwhile, so it must not grow.
  change.began ??= was.status ?? ''
  if (!isStop && was.status === 'halted' && change.began !== 'halted') {
    throw refused('conflict', 'The rollout was halted in the meantime', 'stoppedMeanwhile')
  }
  const isServed = isOut(known) || was.status === 'halted'
  // Changing an unpublished release would restart its review. A stop is left to Google to judge,
  // because lists lag.
  if (was.status === 'draft' || (!isServed && !isStop)) throw notLive()
  const next = changed(was, change.to)
  const isSame = next.status === was.status && next.userFraction === was.userFraction
  const served = (release: TrackRelease): StoreVersion =>
    versionOf(ctx, { track, release, lifecycle: 'PUBLISHED', isUnsent: false }, now)
  if (isSame && isOut(known) && !known.isUnsent && summaries !== null) {
    // A commit without changes would still end everybody's edits.
    await edit.drop()
    return { before: served(was), after: served(was) }
  }
  const releases = edit.isKeptBack ? placed.map(({ release }) => release) : keepUnsent(placed)
  try {
    await edit.place(track, withChanged(releases, releases[placed.indexOf(known)], next), next)
    await edit.commit({ replacesReview: replacesReview && !isSame })
  } catch (error) {
    if (!isProviderError(error)) throw error
    if (isStop && !isServed && matchesError(error, NOT_OUT)) throw notLive()
    // A review covers all waiting changes, so a release in review is in its final form.
    if (!isSame || error.detail.reason !== 'reviewInProgress') throw error
    return { before: served(was), after: served(was) }
  }
  // Edits also show changes that wait for submission, which no user has.
  const before = known.isUnsent ? versionOf(ctx, known, seen) : served(was)
  if (!edit.isKeptBack) return { before, after: served(next) }
  return { before, after: { ...before, ...(isSame ? {} : { waitsForSending: true }) } }
}

/** Returns the changed release. Setting a share resumes a halted one. */
function changed(release: TrackRelease, to: Rollout): TrackRelease {
  if ('fraction' in to) return givenTo(release, to.fraction)
  if (to.action === 'complete') return completed(release)
  if (to.action === 'pause' || to.action === 'halt') return { ...release, status: 'halted' }
  // A release that was halted after its completion resumes for all users.
  return typeof release.userFraction === 'number'
    ? staged(release, release.userFraction)
    : completed(release)
}

function requireShare(to: Rollout): void {
  if (!('fraction' in to) || (to.fraction > 0 && to.fraction <= 1)) return
  throw refused('invalid', 'A share of users is above 0 and at most 1', 'fraction')
}

export const unknown = (id: string) =>
  refused('notFound', `There is no release ${id} on its track`, 'releaseUnknown')

/** Google's error about a halt of an unpublished release. */
const NOT_OUT = /status halted/i

const notLive = () =>
  refused('preconditionFailed', 'The release is not published, so nobody has it yet', 'notLive')

const replaced = () =>
  refused('preconditionFailed', 'A higher version has replaced the release', 'replaced')
