import { commitEdit, openEdit, putTrack, type Committing } from '../../play_edits.js'
import { highestCode, lifecycleOf, releasesOf, uploadBundle } from '../../play_releases.js'
import {
  isPlayRefused,
  PRODUCTION,
  USUAL_PLAY,
  type PlayResult,
  type SimulatedPlay,
  type TrackRelease,
} from '../../play_state.js'

/*
 * A simulated Google Play with three bundles, and helpers to change and inspect it.
 */

export const HOUR = 3_600_000
export const BEGIN = Date.parse('2026-11-20T12:00:00.000Z')
export const LATER = BEGIN + HOUR

export const release = (code: number, more: Partial<TrackRelease> = {}): TrackRelease => ({
  versionCodes: [code],
  name: null,
  status: 'completed',
  userFraction: null,
  notes: [],
  ...more,
})
export const staged = (code: number, userFraction: number) =>
  release(code, { status: 'inProgress', userFraction })

export function ok(result: PlayResult): SimulatedPlay {
  if (isPlayRefused(result)) throw new Error(result.refused)
  return result.store
}

export const CODES = [1, 2, 3]
/** Three bundles that were uploaded an hour ago. */
export const STORE = CODES.reduce<SimulatedPlay>(
  (store, versionCode) =>
    ok(uploadBundle(store, BEGIN, { versionCode, versionName: `1.${versionCode}.0` })),
  { ...USUAL_PLAY, settings: { ...USUAL_PLAY.settings, rejected: 0 } }
)
/** Returns the store with changes that a person sends for review. */
export const byHand = (store: SimulatedPlay): SimulatedPlay => ({
  ...store,
  settings: { ...store.settings, isSentByHand: true },
})

export const AT_ONCE: Committing = {
  changesNotSentForReview: false,
  changesInReviewBehavior: 'ERROR_IF_IN_REVIEW',
  isManaged: false,
}

/** Opens an edit, changes one track and commits. */
export function commitTrack(
  store: SimulatedPlay,
  now: number,
  releases: readonly TrackRelease[],
  { track = PRODUCTION, ...how }: Partial<Committing> & { track?: string } = {}
): PlayResult {
  const { store: opened, edit } = openEdit(store, now)
  const put = putTrack(opened, now, { editId: edit.id, track, releases })
  if (isPlayRefused(put)) return put
  return commitEdit(put.store, 's', now, { editId: edit.id, ...AT_ONCE, ...how })
}

export const why = (result: PlayResult) => (isPlayRefused(result) ? result.refused : 'done')
export const states = (store: SimulatedPlay, now: number, track = PRODUCTION) =>
  releasesOf(store, track, now).map(
    (each) => `${highestCode(each)} ${lifecycleOf(each, now)} ${each.status} ${each.userFraction}`
  )
