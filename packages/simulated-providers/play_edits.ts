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
 * Changes to Google Play are made in edits: an edit is opened, changed and committed, and has no
 * effect before its commit. README.md lists the rules.
 */

/** Opens an edit, and deletes any edit that is still open. */
export function openEdit(
  store: SimulatedPlay,
  now: number
): { store: SimulatedPlay; edit: PlayEdit } {
  const id = String(Number(store.edits.at(-1)?.id ?? 0) + 1)
  const { editLifeMs } = store.settings
  const edit = { id, expiresAt: now + editLifeMs, isDeleted: false, tracks: {}, listings: [] }
  // Only the latest are kept: older ids are refused as unknown.
  const earlier = store.edits.slice(-KEPT_EDITS).map((each) => ({ ...each, isDeleted: true }))
  return { store: { ...store, edits: [...earlier, edit] }, edit }
}

const KEPT_EDITS = 20

/** Returns an open edit, or the reason why it cannot be used. */
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
 * Returns the releases of a track as an edit sees them: with its own changes or, without any, as
 * they were last committed, including commits that are not yet sent for review.
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
  const errors = releases.flatMap((each) => errorOf(store, each, now) ?? [])
  if (errors.length > 0) return playRefused(errors[0])
  const codes = releases.flatMap(({ versionCodes }) => versionCodes)
  if (new Set(codes).size < codes.length) return playRefused('versionCodeTwice')
  return changedEdit(store, { ...edit, tracks: { ...edit.tracks, [track]: releases } })
}

function errorOf(
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

/** Replaces texts of the store listing in an edit; other locales keep theirs. */
export function putListings(
  store: SimulatedPlay,
  now: number,
  editId: string,
  texts: readonly StoreTexts[]
): PlayResult {
  const edit = editOf(store, editId, now)
  if (typeof edit === 'string') return playRefused(edit)
  if (tooLongIn(texts, PLAY_LIMITS)) return playRefused('textTooLong')
  return changedEdit(store, { ...edit, listings: withTexts(edit.listings, texts) })
}

export interface Committing {
  /** True if committed changes wait until somebody sends them in the console. */
  changesNotSentForReview: boolean
  changesInReviewBehavior: 'CANCEL_IN_REVIEW_AND_SUBMIT' | 'ERROR_IF_IN_REVIEW'
  /** True if approved changes wait until somebody publishes them; null leaves it unchanged. */
  isManaged: boolean | null
}

/**
 * Commits an edit atomically. If `changesNotSentForReview` does not fit the settings, the edit is
 * deleted; if a running review is in the way, it stays open.
 */
export function commitEdit(
  store: SimulatedPlay,
  seed: string,
  now: number,
  { editId, ...options }: Committing & { editId: string }
): PlayResult {
  const edit = editOf(store, editId, now)
  if (typeof edit === 'string') return playRefused(edit)
  const changes = Object.entries(edit.tracks)
  const isForReview = changes.some(([track]) => !isInternal(store, track))
  const refusal = errorOfSending(store, options, isForReview)
  if (refusal) return { ...changedEdit(store, { ...edit, isDeleted: true }), refused: refusal }
  const inReview = store.releases.filter((each) => lifecycleOf(each, now) === 'IN_REVIEW')
  const isBusy = isForReview && inReview.length > 0
  if (isBusy && options.changesInReviewBehavior === 'ERROR_IF_IN_REVIEW') {
    return playRefused('reviewInProgress')
  }
  const withdrawn = isBusy ? withoutReviews(store, inReview, now) : store
  const isSent = !options.changesNotSentForReview
  const isManaged = store.settings.managedPublishing ?? options.isManaged
  const placed = changes.reduce<PlayResult>(
    (result, [track, releases]) =>
      isPlayRefused(result)
        ? result
        : placeOn(result.store, now, { track, releases, isManaged, isSent }),
    { store: withdrawn }
  )
  if (isPlayRefused(placed)) return placed
  const sent = isForReview && isSent ? sentForReview(placed.store, seed, now) : placed.store
  const passed = sentForReview(sent, seed, now, (each) => isInternal(store, each.track))
  const edits = passed.edits.map((each) => ({ ...each, isDeleted: true }))
  const listings = withTexts(passed.listings, edit.listings)
  return { store: { ...passed, edits, listings } }
}

function errorOfSending(
  { settings }: SimulatedPlay,
  { changesNotSentForReview }: Committing,
  isForReview: boolean
): PlayRefused | null {
  if (settings.isSentByHand) {
    return isForReview && !changesNotSentForReview ? 'notSentAutomatically' : null
  }
  return changesNotSentForReview ? 'sentAutomatically' : null
}

/** Cancels reviews, so that their releases can be sent again. */
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

/** Sends pending changes of the selected releases for review. Rollout changes need no review. */
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
  const duration = track === PRODUCTION ? reviewMs : testReviewMs
  const ordinal = highestCode(release) - codesBefore
  const rolled = chance(seed, 'play verdict', track, ordinal, attempts)
  const configured = track === PRODUCTION ? verdicts.at(attempts) : undefined
  const isApproved = configured === undefined ? rolled >= rejected : configured === 'approved'
  return { at: now, endsAt: now + duration, isApproved }
}

/** Publishes all approved releases at once: the console cannot publish some of them. */
export function publishApproved(store: SimulatedPlay, now: number): PlayResult {
  const isHeld = (each: PlayRelease) => lifecycleOf(each, now) === 'APPROVED_NOT_PUBLISHED'
  if (!store.releases.some(isHeld)) return playRefused('notApproved')
  const releases = store.releases.map((each) =>
    isHeld(each) ? { ...each, publishedByHandAt: now } : each
  )
  return { store: { ...store, releases } }
}
