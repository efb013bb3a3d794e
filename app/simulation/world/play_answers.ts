import {
  commitEdit,
  deleteEdit,
  editOf,
  openEdit,
  putListings,
  putTrack,
  trackIn,
} from '#simulated-providers/play_edits'
import {
  bundleState,
  highestCode,
  lifecycleOf,
  listedAt,
  playTimesOut,
  releasesAsOf,
  releasesOf,
  uploadBundle,
  versionNameOf,
  waitsForSending,
} from '#simulated-providers/play_releases'
import {
  isPlayRefused,
  type PlayBundle,
  type PlayRefused,
  type PlayRelease,
  type PlayResult,
  type SimulatedPlay,
  type TrackRelease,
  type TrackStatus,
} from '#simulated-providers/play_state'
import { arrivalsUntil } from './arrivals.js'
import {
  answered,
  includes,
  instantOf,
  instantText,
  noAddress,
  objectsIn,
  paged,
  Refusal,
  type WorldResponse,
  type WorldRequest,
} from './http.js'
import { respondForReviews, textsOfVersion } from './store_answers.js'
import type { World } from './world.js'

/** Returns the Google Play of an app, with the bundles that CI has sent there by now. */
export function playOf(world: World, packageName: string, now: number): SimulatedPlay {
  const known = Object.hasOwn(world.plays, packageName)
  const store = known ? world.plays[packageName] : world.newPlay
  return arrivalsUntil(world, now).reduce((before, { number, version, at }) => {
    const bundle = { versionCode: Number(number), versionName: version }
    const result = uploadBundle(before, at, bundle)
    return isPlayRefused(result) ? before : result.store
  }, store)
}

const STATUS: Readonly<Partial<Record<PlayRefused, number>>> = {
  editUnknown: 404,
  trackUnknown: 404,
  buildUnknown: 404,
  reviewUnknown: 404,
  editDeleted: 409,
}

/** Texts of refusals for people, similar to Google's. */
const MESSAGES: Readonly<Record<PlayRefused, string>> = {
  editUnknown: 'There is no such edit',
  editDeleted: 'This Edit has been deleted',
  editExpired: 'This edit has expired',
  trackUnknown: 'There is no such track',
  versionCodeTaken: 'This version code has been used already',
  versionCodeTwice: 'A version code is in two releases of the track',
  buildUnknown: 'There is no bundle of this version code',
  buildNotReady: 'The bundle is still being processed',
  buildInvalid: 'The bundle is not valid',
  fractionInvalid: 'The user fraction must be above 0 and below 1',
  fractionNotAllowed: 'Only releases that are in progress or halted have a user fraction',
  statusNotAllowed: 'The release cannot have this status',
  textTooLong: 'A text is too long',
  draftAppOnly: 'Only releases with status draft may be created on draft app',
  firstNotStaged: 'The first release on a track cannot be staged',
  firstNotHalted: 'The first release on a track cannot be halted',
  fullyReleased: 'Fully released can not be staged',
  notUpgradable: 'Users of the release on this track could not upgrade to it',
  reviewInProgress: 'Changes are in review already',
  notSentAutomatically:
    'Changes cannot be sent for review automatically. Please set the query parameter changesNotSentForReview to true',
  sentAutomatically:
    'Changes are sent for review automatically. The query parameter changesNotSentForReview must not be set',
  notApproved: 'The release was not approved, or is published',
  reviewUnknown: 'There is no such review',
}

/** Refusals in Google's own format, as far as it is known. */
const GOOGLE_ERRORS: Readonly<Partial<Record<PlayRefused, { status: string; reason: string }>>> = {
  reviewInProgress: { status: 'FAILED_PRECONDITION', reason: 'CHANGES_ALREADY_IN_REVIEW' },
}

function refusalOf(why: PlayRefused, world: World | null = null): Refusal {
  const [code, message, googleError] = [STATUS[why] ?? 400, MESSAGES[why], GOOGLE_ERRORS[why]]
  if (!googleError) return new Refusal(code, message, why, { world })
  const { status, reason } = googleError
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }]
  return new Refusal(code, message, why, { error: { code, message, status, details }, world })
}

function storeAfter(result: PlayResult): SimulatedPlay {
  if (isPlayRefused(result)) throw refusalOf(result.refused)
  return result.store
}

interface StoreRequest {
  world: World
  now: number
  packageName: string
  store: SimulatedPlay
  request: WorldRequest
}

/** Answers for the Google Play of a world; the path begins with a package name. */
export function respondForPlay(stored: World, now: number, request: WorldRequest): WorldResponse {
  const [packageName, resource, ...path] = request.path
  if (packageName === undefined || packageName === '') throw noAddress()
  // A store is created by the first request.
  const isKnown = Object.hasOwn(stored.plays, packageName)
  const plays = { ...stored.plays, [packageName]: stored.newPlay }
  const world = isKnown ? stored : { ...stored, plays }
  const store = playOf(world, packageName, now)
  const at: StoreRequest = { world, now, packageName, store, request: { ...request, path } }
  if (resource === 'edits') return respondForEdits(at)
  if (resource === 'reviews') {
    const { seed } = world
    const outs = playTimesOut(store, now)
    const replied = respondForReviews({ seed, now, outs, store }, at.request)
    if (!replied.replies) return answered(world, replied.body)
    return answerWith(at, { ...store, replies: replied.replies }, () => replied.body)
  }
  if (request.isChange) throw noAddress()
  if (resource === 'bundles') return answered(world, bundlesOf(at))
  if (resource === 'listings') return answered(world, { items: store.listings })
  if (resource === 'tracks') return answered(world, tracksOf(at))
  throw noAddress()
}

function answerWith(
  { world, packageName }: StoreRequest,
  store: SimulatedPlay,
  show: (store: SimulatedPlay) => object
): WorldResponse {
  const plays = { ...world.plays, [packageName]: store }
  return answered({ ...world, plays }, show(store))
}

/**
 * Lists the tracks, or the releases of one or of all (`-`) as a read with a lag shows them. As at
 * Google, obsolete releases are listed only on request.
 */
function tracksOf({ store, now, request }: StoreRequest): object {
  const [track, resource] = request.path
  if (track === undefined) return paged(store.tracks, request.query)
  const tracks = store.tracks.filter(({ id }) => track === '-' || id === track)
  if (tracks.length === 0) throw refusalOf('trackUnknown')
  if (resource !== 'releases') throw noAddress()
  const then = listedAt(store, now)
  const which = request.query.get('obsolete') === 'true' ? 'all' : 'current'
  const shown = tracks.flatMap(({ id }) => releasesAsOf(store, id, then, which))
  return {
    ...paged(shown, request.query, (each) => shownRelease(store, each, then)),
    lagSeconds: Math.ceil(store.settings.lagMs / 1000),
  }
}

function shownRelease(store: SimulatedPlay, release: PlayRelease, at: number) {
  const { id, track, name, versionCodes, status, userFraction, submission, notes } = release
  const lifecycle = lifecycleOf(release, at)
  return {
    id,
    track,
    name,
    versionCodes: versionCodes.map(String),
    versionName: versionNameOf(store, release),
    bundleId: store.bundles.find(({ versionCode }) => versionCode === highestCode(release))?.id,
    releaseLifecycleState: lifecycle,
    status,
    userFraction,
    releaseNotes: notes,
    inAppUpdatePriority: release.inAppUpdatePriority ?? 0,
    submittedAt: submission ? instantText(submission.at) : null,
    submissionId: release.attempts === 0 ? null : `${id}-${release.attempts}`,
    managedPublishing: release.isManaged,
    waitsForSending: waitsForSending(release, at),
  }
}

function bundlesOf({ store, now, request: { query } }: StoreRequest): object {
  const [wanted, since] = [query.getAll('version'), instantOf(query, 'since')]
  const found = store.bundles.filter(
    ({ versionName, uploadedAt }) =>
      includes(wanted, versionName) && (since === null || uploadedAt >= since)
  )
  return paged(found, query, (bundle) => shownBundle(bundle, now))
}

const shownBundle = (bundle: PlayBundle, now: number) => ({
  id: bundle.id,
  number: String(bundle.versionCode),
  version: bundle.versionName,
  uploadedAt: instantText(bundle.uploadedAt),
  state: bundleState(bundle, now),
})

function respondForEdits(at: StoreRequest): WorldResponse {
  const { world, store, now, request } = at
  const [id, resource, track] = request.path
  if (id === undefined) {
    if (!request.isChange) throw noAddress()
    const { store: opened, edit } = openEdit(store, now)
    const expiryTimeSeconds = String(Math.floor(edit.expiresAt / 1000))
    return answerWith(at, opened, () => ({ id: edit.id, expiryTimeSeconds }))
  }
  if (resource === undefined && request.method === 'DELETE') {
    return answerWith(at, storeAfter(deleteEdit(store, id, now)), () => ({}))
  }
  if (resource === 'commit' && request.isChange) return commitOf(at, id)
  const edit = editOf(store, id, now)
  if (typeof edit === 'string') throw refusalOf(edit)
  if (resource === 'listings' && request.isChange) {
    const texts = textsOfVersion(objectsIn(request, 'items'))
    return answerWith(at, storeAfter(putListings(store, now, id, texts)), () => ({ items: texts }))
  }
  if (resource !== 'tracks' || track === undefined) throw noAddress()
  if (!request.isChange) {
    if (!store.tracks.some((each) => each.id === track)) throw refusalOf('trackUnknown')
    return answered(world, { track, releases: trackIn(store, edit, track, now).map(inEdit) })
  }
  const releases = objectsIn(request, 'releases').map(releaseOf)
  const put = storeAfter(putTrack(store, now, { editId: id, track, releases }))
  return answerWith(at, put, () => ({ track, releases: releases.map(inEdit) }))
}

/** Returns a release as edits show it, without its review. */
const inEdit = (release: TrackRelease) => ({
  ...('id' in release ? { id: release.id } : {}),
  name: release.name,
  versionCodes: release.versionCodes.map(String),
  status: release.status,
  userFraction: release.userFraction,
  releaseNotes: release.notes,
  ...priorityOf(release),
})

const priorityOf = ({ inAppUpdatePriority: priority }: { inAppUpdatePriority?: unknown }) =>
  typeof priority === 'number' ? { inAppUpdatePriority: priority } : {}

const STATUSES: readonly TrackStatus[] = ['draft', 'inProgress', 'halted', 'completed']

/** Reads a release from a request. @throws Refusal for a malformed one */
function releaseOf(input: Record<string, unknown>): TrackRelease {
  const { name, versionCodes, status, userFraction, releaseNotes } = input
  const known = STATUSES.find((each) => each === status)
  if (!Array.isArray(versionCodes) || !known) throw new Refusal(400, 'The release is malformed')
  const notes = Array.isArray(releaseNotes) ? (releaseNotes as Record<string, unknown>[]) : []
  return {
    name: typeof name === 'string' ? name : null,
    versionCodes: versionCodes.map(Number),
    status: known,
    userFraction: typeof userFraction === 'number' ? userFraction : null,
    notes: notes.map(({ language, text }) => ({ language: String(language), text: String(text) })),
    ...priorityOf(input),
  }
}

function commitOf(at: StoreRequest, editId: string): WorldResponse {
  const { world, store, now, request } = at
  const { query } = request
  const isError = query.get('changesInReviewBehavior') === 'ERROR_IF_IN_REVIEW'
  const result = commitEdit(store, world.seed, now, {
    editId,
    changesNotSentForReview: query.get('changesNotSentForReview') === 'true',
    changesInReviewBehavior: isError ? 'ERROR_IF_IN_REVIEW' : 'CANCEL_IN_REVIEW_AND_SUBMIT',
    isManaged: query.has('managedPublishing') ? query.get('managedPublishing') === 'true' : null,
  })
  if (isPlayRefused(result) && result.store) {
    throw refusalOf(result.refused, answerWith(at, result.store, () => ({})).world)
  }
  const committed = storeAfter(result)
  const edit = store.edits.find(({ id }) => id === editId)!
  const tracks = Object.keys(edit.tracks)
  return answerWith(at, committed, (after) => ({
    id: editId,
    releases: tracks.flatMap((track) =>
      releasesOf(after, track, now).map((each) => shownRelease(after, each, now))
    ),
  }))
}
