import { chance } from './chance.js'
import { isInternal, placeOn, withRollout } from './play_placing.js'
import { bundleState, highestCode, lifecycleOf, releasesOf } from './play_releases.js'
import {
  isPlayRefused,
  playRefused,
  PRODUCTION,
  type PlayEdit,
  type PlayRefused,
  type PlayRelease,
  type PlayResult,
  type PlaySubmission,
  type SimulatedPlay,
  type TrackRelease,
} from './play_state.js'
import { tooLongIn, withTexts, type StoreTexts } from './store_texts.js'

/*
 * Google Play is changed by edits: an edit is opened, changed and committed, and has no effect
 * before. README.md lists the rules.
 */

/** Opens an edit, and deletes the one that was open before. */
export function openEdit(
  store: SimulatedPlay,
  now: number
): { store: SimulatedPlay; edit: PlayEdit } {
  const id = String(Number(store.edits.at(-1)?.id ?? 0) + 1)
  const { editLifeMs } = store.settings
  const edit = { id, expiresAt: now + editLifeMs, isDeleted: false, tracks: {}, listings: [] }
  // Only the last few are kept: older ids are refused as unknown.
  const before = store.edits.slice(-KEPT_EDITS).map((each) => ({ ...each, isDeleted: true }))
  return { store: { ...store, edits: [...before, edit] }, edit }
}

const KEPT_EDITS = 20

/** Returns an open edit, or the reason why there is none. */
export function editOf(store: SimulatedPlay, id: string, now: number): PlayEdit | PlayRefused {
  const edit = store.edits.find((each) => each.id === id)
  if (!edit) return 'editUnknown'
  if (edit.isDeleted) return 'editDeleted'
  return now < edit.expiresAt ? edit : 'editExpired'
}

/** Deletes an edit. */
export function deleteEdit(store: SimulatedPlay, id: string, now: number): PlayResult {
  const edit = editOf(store, id, now)
  return typeof edit === 'string'
    ? playRefused(edit)
    : changedEdit(store, { ...edit, isDeleted: true })
}

function changedEdit(store: SimulatedPlay, edit: PlayEdit): { store: SimulatedPlay } {
  const edits = store.edits.map((each) => (each.id === edit.id ? edit : each))
  return { store: { ...store, edits } }
}

/**
 * Returns the releases of a track as an edit sees them: as it has changed them, or as they were
 * last committed, even if that was not sent.
 */
export function trackIn(
  store: SimulatedPlay,
  edit: PlayEdit,
  track: string,
  now: number
): readonly TrackRelease[] {
  if (Object.hasOwn(edit.tracks, track)) return edit.tracks[track]
  return releasesOf(store, track, now).map((each) => ({ ...each, ...each.unsent }))
}

/** Maximum lengths of texts, in characters. */
const PLAY_LIMITS = {
  title: 30,
  shortDescription: 80,
  description: 4000,
  whatsNew: 500,
} as const

/** Replaces the releases of a track in an edit. */
export function putTrack(
  store: SimulatedPlay,
  now: number,
  { editId, track, releases }: { editId: string; track: string; releases: readonly TrackRelease[] }
): PlayResult {
  const edit = editOf(store, editId, now)
  if (typeof edit === 'string') return playRefused(edit)
  if (!store.tracks.some(({ id }) => id === track)) return playRefused('trackUnknown')
  const wrong = releases.flatMap((each) => wrongWith(store, each, now) ?? [])
  if (wrong.length > 0) return playRefused(wrong[0])
  const codes = releases.flatMap(({ versionCodes }) => versionCodes)
  if (new Set(codes).size < codes.length) return playRefused('versionCodeTwice')
  return changedEdit(store, { ...edit, tracks: { ...edit.tracks, [track]: releases } })
}

function wrongWith(
  store: SimulatedPlay,
  { versionCodes, status, userFraction, notes }: TrackRelease,
  now: number
): PlayRefused | null {
  const bundles = versionCodes.map((code) =>
    store.bundles.find(({ versionCode }) => versionCode === code)
  )
  if (bundles.length === 0 || bundles.includes(undefined)) return 'buildUnknown'
  const states = bundles.map((bundle) => bundleState(bundle!, now))
  if (states.includes('PROCESSING')) return 'buildNotReady'
  if (states.some((state) => state !== 'VALID')) return 'buildInvalid'
  const isShare = userFraction !== null && userFraction > 0 && userFraction < 1
  if (status === 'inProgress' && !isShare) return 'fractionInvalid'
  if (status === 'halted' && userFraction !== null && !isShare) return 'fractionInvalid'
  const isStaged = status === 'inProgress' || status === 'halted'
  if (!isStaged && userFraction !== null) return 'fractionNotAllowed'
  const texts = notes.map(({ language, text }) => ({ locale: language, whatsNew: text }))
  return tooLongIn(texts, PLAY_LIMITS) ? 'textTooLong' : null
}

/** Changes texts of the store's page in an edit; those of other locales stay. */
export function putListings(
  store: SimulatedPlay,
  now: number,
  editId: string,
  given: readonly StoreTexts[]
): PlayResult {
  const edit = editOf(store, editId, now)
  if (typeof edit === 'string') return playRefused(edit)
  if (tooLongIn(given, PLAY_LIMITS)) return playRefused('textTooLong')
  return changedEdit(store, { ...edit, listings: withTexts(edit.listings, given) })
}

export interface Committing {
  /** True if committed changes wait until somebody sends them in the console. */
  changesNotSentForReview: boolean
  changesInReviewBehavior: 'CANCEL_IN_REVIEW_AND_SUBMIT' | 'ERROR_IF_IN_REVIEW'
  /** True if approved changes wait until somebody publishes them; null leaves it unchanged. */
  isManaged: boolean | null
}

/**
 * Commits an edit, all of it or nothing. An edit whose commit is wrong about who sends changes for
 * review is deleted; one that is refused because of a running review stays.
 */
export function commitEdit(
  store: SimulatedPlay,
  seed: string,
  now: number,
  { editId, ...how }: Committing & { editId: string }
): PlayResult {
  const edit = editOf(store, editId, now)
  if (typeof edit === 'string') return playRefused(edit)
  const changes = Object.entries(edit.tracks)
  const isForReview = changes.some(([track]) => !isInternal(store, track))
  const wrong = wrongAboutSending(store, how, isForReview)
  if (wrong) return { ...changedEdit(store, { ...edit, isDeleted: true }), refused: wrong }
  const inReview = store.releases.filter((each) => lifecycleOf(each, now) === 'IN_REVIEW')
  const isBusy = isForReview && inReview.length > 0
  if (isBusy && how.changesInReviewBehavior === 'ERROR_IF_IN_REVIEW') {
    return playRefused('reviewInProgress')
  }
  const recalled = isBusy ? withoutReviews(store, inReview, now) : store
  const isSent = !how.changesNotSentForReview
  const isManaged = store.settings.managedPublishing ?? how.isManaged
  const placed = changes.reduce<PlayResult>(
    (before, [track, releases]) =>
      isPlayRefused(before)
        ? before
        : placeOn(before.store, now, { track, releases, isManaged, isSent }),
    { store: recalled }
  )
  if (isPlayRefused(placed)) return placed
  const sent = isForReview && isSent ? sentForReview(placed.store, seed, now) : placed.store
  const passed = sentForReview(sent, seed, now, (each) => isInternal(store, each.track))
  const edits = passed.edits.map((each) => ({ ...each, isDeleted: true }))
  const listings = withTexts(passed.listings, edit.listings)
  return { store: { ...passed, edits, listings } }
}

function wrongAboutSending(
  { settings }: SimulatedPlay,
  { changesNotSentForReview }: Committing,
  isForReview: boolean
): PlayRefused | null {
  if (settings.isSentByHand) {
    return isForReview && !changesNotSentForReview ? 'notSentAutomatically' : null
  }
  return changesNotSentForReview ? 'sentAutomatically' : null
}

/** Cancels reviews; their releases can be sent again. */
function withoutReviews(
  store: SimulatedPlay,
  inReview: readonly PlayRelease[],
  now: number
): SimulatedPlay {
  const releases = store.releases.map((each) =>
    inReview.includes(each) ? withRollout(each, { submission: null }, now) : each
  )
  return { ...store, releases }
}

/** Sends the waiting changes of selected releases for review. Changes of rollouts need none. */
export function sentForReview(
  store: SimulatedPlay,
  seed: string,
  now: number,
  isSelected: (release: PlayRelease) => boolean = () => true
): SimulatedPlay {
  const releases = store.releases.map((each) => {
    if (!isSelected(each)) return each
    if (each.unsent) return withRollout(each, { ...each.unsent, unsent: null }, now)
    if (lifecycleOf(each, now) !== 'NOT_SENT_FOR_REVIEW') return each
    const submission = submissionOf(store, seed, now, each)
    return { ...withRollout(each, { submission }, now), attempts: each.attempts + 1 }
  })
  return { ...store, releases }
}

function submissionOf(
  store: SimulatedPlay,
  seed: string,
  now: number,
  { track, attempts, ...release }: PlayRelease
): PlaySubmission {
  if (isInternal(store, track)) return { at: now, endsAt: now, isApproved: true }
  const { reviewMs, testReviewMs, rejected, verdicts, codesBefore } = store.settings
  const lasts = track === PRODUCTION ? reviewMs : testReviewMs
  const place = highestCode(release) - codesBefore
  const rolled = chance(seed, 'play verdict', track, place, attempts)
  const configured = track === PRODUCTION ? verdicts.at(attempts) : undefined
  const isApproved = configured === undefined ? rolled >= rejected : configured === 'approved'
  return { at: now, endsAt: now + lasts, isApproved }
}

/** Publishes all approved releases that wait for it, because the console cannot publish a part. */
export function publishApproved(store: SimulatedPlay, now: number): PlayResult {
  const isHeld = (each: PlayRelease) => lifecycleOf(each, now) === 'APPROVED_NOT_PUBLISHED'
  if (!store.releases.some(isHeld)) return playRefused('notApproved')
  const releases = store.releases.map((each) =>
    isHeld(each) ? { ...each, publishedByHandAt: now } : each
  )
  return { store: { ...store, releases } }
}
