import {
  addReviewFile,
  attachBuild,
  cancelReview,
  changeTexts,
  changeVersion,
  createVersion,
  release,
  rollOut,
  submit,
} from '#simulated-providers/app_store'
import {
  asOf,
  isShown,
  listedAt,
  phasedRelease,
  timesOut,
  versionState,
} from '#simulated-providers/version_states'
import {
  asksForCompliance,
  buildState,
  fateOf,
  uploadBuild,
} from '#simulated-providers/app_store_builds'
import {
  isRefused,
  type AppStoreBuild,
  type AppStoreVersion,
  type Refused,
  type ReleaseChoice,
  type Result,
  type SimulatedAppStore,
} from '#simulated-providers/app_store_state'
import { betaState, giveToGroups, noteForTesters } from '#simulated-providers/test_flight'
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
  textIn,
  textsIn,
  type WorldResponse,
  type WorldRequest,
} from './http.js'
import { respondForReviews, notesIn, textsOfVersion } from './store_answers.js'
import type { World } from './world.js'

/** Returns the App Store of an app, with the builds that CI has sent there until now. */
export function appStoreOf(world: World, bundleId: string, now: number): SimulatedAppStore {
  const known = Object.hasOwn(world.appStores, bundleId)
  const store = known ? world.appStores[bundleId] : world.newAppStore
  const ids = new Set(store.builds.map(({ id }) => id))
  const arrived = arrivalsUntil(world, now).filter(({ id }) => !ids.has(id))
  return arrived.reduce((before, { id, drawnAs, number, version, at }) => {
    const place = before.builds.filter((each) => each.id.startsWith('ci-')).length
    const fate = fateOf(before, world.seed, { id: drawnAs, place })
    const result = uploadBuild(before, at, { number, version }, fate)
    if (isRefused(result)) return before
    const last = result.store.builds.length - 1
    const isUndeclared = asksForCompliance(before, world.seed, drawnAs)
    const build = { ...result.store.builds[last], id, drawnAs, isUndeclared }
    return { ...result.store, builds: result.store.builds.with(last, build) }
  }, store)
}

const STATUS: Readonly<Partial<Record<Refused, number>>> = {
  versionUnknown: 404,
  buildUnknown: 404,
  groupUnknown: 404,
  reviewUnknown: 404,
  textTooLong: 422,
  versionNotHigher: 422,
}

/** Texts of refusals for people. */
const MESSAGES: Readonly<Record<Refused, string>> = {
  versionInFlight: 'You cannot create a new version while another one is not out yet',
  versionNotShown: 'The version was made a moment ago, and is not shown yet',
  versionNotHigher: 'The version number must be higher than that of the version before',
  versionUnknown: 'There is no such version',
  buildTaken: 'This version has a build of this number',
  buildUnknown: 'The version has no such build',
  buildNotReady: 'The build is still being processed',
  buildInvalid: 'The build is not valid',
  buildExpired: 'The build is older than 90 days',
  buildMissing: 'The version has no build',
  complianceMissing: 'The use of encryption in the build has to be declared first',
  groupUnknown: 'There is no such group of testers',
  notEditable: 'The version cannot be changed in its state',
  textTooLong: 'A text is too long',
  notInReview: 'The version is not in review',
  notApproved: 'The version was not approved, or is out',
  notPhased: 'The version has no phased release',
  notLive: 'The phased release has not begun, or is over',
  pauseBudgetSpent: 'The phased release was paused for 30 days already',
  reviewUnknown: 'There is no such review',
}

const refusalOf = (why: Refused) => new Refusal(STATUS[why] ?? 409, MESSAGES[why], why)

function storeAfter(result: Result): SimulatedAppStore {
  if (isRefused(result)) throw refusalOf(result.refused)
  return result.store
}

/** Answers for the App Store of a world; the path begins with a bundle id. */
export function respondForAppStore(
  given: World,
  now: number,
  request: WorldRequest
): WorldResponse {
  const [bundleId, what, ...path] = request.path
  if (bundleId === undefined || bundleId === '') throw noAddress()
  // A store is created by the first request.
  const isKnown = Object.hasOwn(given.appStores, bundleId)
  const appStores = { ...given.appStores, [bundleId]: given.newAppStore }
  const world = isKnown ? given : { ...given, appStores }
  const store = appStoreOf(world, bundleId, now)
  const at = { world, now, bundleId, store, request: { ...request, path } }
  if (what === 'versions') return respondForVersions(at)
  if (what === 'builds') return respondForBuilds(at)
  if (what === 'groups' && !request.isChange) {
    return answered(world, paged(store.groups, request.query))
  }
  if (what === 'reviews') {
    const { seed } = world
    const replied = respondForReviews({ seed, now, outs: timesOut(store, now), store }, at.request)
    if (!replied.replies) return answered(world, replied.body)
    return kept(at, { ...store, replies: replied.replies }, () => replied.body)
  }
  throw noAddress()
}

interface At {
  world: World
  now: number
  bundleId: string
  store: SimulatedAppStore
  request: WorldRequest
}

/** Stores a changed store, and answers with what `show` returns for it. */
function kept(
  { world, bundleId }: At,
  store: SimulatedAppStore,
  show: (store: SimulatedAppStore) => object
): WorldResponse {
  const appStores = { ...world.appStores, [bundleId]: store }
  return answered({ ...world, appStores }, show(store))
}

function respondForVersions(at: At): WorldResponse {
  const { world, now, store, request } = at
  const { path, query, isChange, method } = request
  const [id, action] = path
  if (id === undefined) return isChange ? createOf(at) : answered(world, versionsOf(at, query))
  const find = (after: SimulatedAppStore) => after.versions.find((each) => each.id === id)
  const version = find(store)
  if (!version || !isShown(store, version, now)) throw refusalOf('versionUnknown')
  const shown = (after: SimulatedAppStore) => shownVersion(after, find(after)!, now)
  if (action === 'texts') {
    if (!isChange) return answered(world, { items: version.texts })
    const given = textsOfVersion(objectsIn(request, 'items'))
    const changed = storeAfter(changeTexts(store, now, id, given))
    return kept(at, changed, (after) => ({ items: find(after)!.texts }))
  }
  if (action === 'reviewFiles') {
    if (!isChange) return answered(world, paged(version.reviewFiles ?? [], query))
    const changed = storeAfter(addReviewFile(store, now, id, reviewFileIn(request)))
    const { name } = reviewFileIn(request)
    return kept(at, changed, (after) =>
      find(after)!.reviewFiles!.findLast((each) => each.name === name)!
    )
  }
  if (action === undefined && !isChange) return answered(world, readOf(at, id))
  if (action === undefined && method === 'PATCH') return kept(at, changeOf(at, store, id), shown)
  const actions: Readonly<Record<string, () => Result>> = {
    submit: () => submit(store, world.seed, now, id),
    cancel: () => cancelReview(store, now, id),
    release: () => release(store, now, id),
    rollout: () => rollOut(store, now, id, rolloutOf(request)),
  }
  if (!isChange || !Object.hasOwn(actions, action)) throw noAddress()
  return kept(at, storeAfter(actions[action]()), shown)
}

function reviewFileIn(request: WorldRequest) {
  const { size } = request.body
  if (typeof size !== 'number' || size < 1) throw new Refusal(422, 'A file has a size')
  return { name: textIn(request, 'name'), size, sha256: textIn(request, 'sha256') }
}

function rolloutOf(request: WorldRequest) {
  const action = textIn(request, 'action')
  if (action === 'pause' || action === 'resume' || action === 'complete') return action
  throw new Refusal(422, `A phased release does not ${action}`)
}

/** Creates a version with all of its settings, or not at all. */
function createOf(at: At): WorldResponse {
  const { now, store, request } = at
  const { phased, buildId } = request.body
  const created = storeAfter(
    createVersion(store, now, {
      version: textIn(request, 'version'),
      release: releaseIn(request) ?? { type: 'MANUAL' },
      phased: phased === true,
      buildId: typeof buildId === 'string' ? buildId : null,
    })
  )
  return kept(at, created, (after) => shownVersion(after, after.versions.at(-1)!, now))
}

function changeOf(at: At, store: SimulatedAppStore, id: string): SimulatedAppStore {
  const { now, request } = at
  const { phased, buildId } = request.body
  const input = {
    release: releaseIn(request) ?? undefined,
    phased: typeof phased === 'boolean' ? phased : undefined,
  }
  const changed = storeAfter(changeVersion(store, now, id, input))
  return typeof buildId === 'string' ? storeAfter(attachBuild(changed, now, id, buildId)) : changed
}

function releaseIn({ body }: WorldRequest): ReleaseChoice | null {
  const { releaseType: type, earliestReleaseDate } = body
  if (type === undefined) return null
  if (type === 'MANUAL' || type === 'AFTER_APPROVAL') return { type }
  const at = Date.parse(String(earliestReleaseDate))
  if (type === 'SCHEDULED' && !Number.isNaN(at)) return { type, at }
  throw new Refusal(422, 'The release type is unknown, or its date is missing')
}

/** Returns the maximum age of read data, in seconds. */
const lagOf = ({ settings }: SimulatedAppStore) => ({
  lagSeconds: Math.ceil(settings.lagMs / 1000),
})

/** Returns a version as a read with a lag shows it. */
function readOf({ store, now }: At, id: string): object {
  const then = listedAt(store, now)
  const past = asOf(store, then)
  const version = past.versions.find((each) => each.id === id)
  if (!version) throw refusalOf('versionUnknown')
  return { ...shownVersion(past, version, then), ...lagOf(store) }
}

/**
 * Returns the visible versions as a read with a lag shows them, and the names of created versions
 * that are not shown yet.
 */
function versionsOf({ store, now }: At, query: URLSearchParams): object {
  const [names, states] = [query.getAll('version'), query.getAll('state')]
  const then = listedAt(store, now)
  const past = asOf(store, then)
  const isWanted = ({ version }: AppStoreVersion) => includes(names, version)
  const visible = past.versions.filter((each) => isWanted(each) && isShown(store, each, now))
  const found = visible.filter((each) => includes(states, versionState(past, each, then)))
  const ids = new Set(visible.map(({ id }) => id))
  const hidden = store.versions.filter((each) => isWanted(each) && !ids.has(each.id))
  return {
    ...paged(found, query, (each) => shownVersion(past, each, then)),
    ...lagOf(store),
    ...(hidden.length === 0 ? {} : { appearing: hidden.map(({ version }) => version) }),
  }
}

/**
 * Reasons of rejections. The real store shows them only in its console, which a world does not
 * have.
 */
const REJECTIONS: Readonly<Record<string, { reason: string; details: string }>> = {
  REJECTED: {
    reason: 'Guideline 2.1 - App Completeness',
    details: 'The app crashed when we opened it on an iPad.',
  },
  METADATA_REJECTED: {
    reason: 'Guideline 2.3.3 - Accurate Metadata',
    details: 'The screenshots do not show the app in use.',
  },
}

function shownVersion(store: SimulatedAppStore, version: AppStoreVersion, now: number) {
  const { id, version: name, buildId, release: how, submissions, phasing } = version
  const phased = phasedRelease(store, version, now)
  const state = versionState(store, version, now)
  return {
    id,
    version: name,
    buildId,
    buildNumber: store.builds.find((each) => each.id === buildId)?.number ?? null,
    state,
    rejection: REJECTIONS[state] ?? null,
    releaseType: how.type,
    earliestReleaseDate: how.type === 'SCHEDULED' ? instantText(how.at) : null,
    submissionId: submissions.length === 0 ? null : `${id}-${submissions.length}`,
    submittedAt: submissions.length === 0 ? null : instantText(submissions.at(-1)!.at),
    phasedRelease: phasing
      ? { ...phased, startDate: phased.startedAt === null ? null : instantText(phased.startedAt) }
      : null,
  }
}

function respondForBuilds(at: At): WorldResponse {
  const { world, now, store, request } = at
  const { path, query, isChange } = request
  const [id, what] = path
  if (id === undefined && !isChange) {
    const [wanted, since] = [query.getAll('version'), instantOf(query, 'since')]
    const found = store.builds.filter(
      ({ version, uploadedAt }) =>
        includes(wanted, version) && (since === null || uploadedAt >= since)
    )
    return answered(
      world,
      paged(found, query, (build) => shownBuild(store, build, now))
    )
  }
  if (what === 'notes' && isChange) {
    return kept(at, storeAfter(noteForTesters(store, id, notesIn(request))), () => ({}))
  }
  if (what !== 'groups' || !isChange) throw noAddress()
  const given = { buildId: id, groupIds: textsIn(request, 'groupIds') }
  return kept(at, storeAfter(giveToGroups(store, world.seed, now, given)), (after) => ({
    state: betaState(after, now, given),
  }))
}

function shownBuild(store: SimulatedAppStore, build: AppStoreBuild, now: number) {
  const { id, number, version, uploadedAt } = build
  const groupIds = store.groups.map((each) => each.id)
  const tested = betaState(store, now, { buildId: id, groupIds })
  return {
    ...{ id, number, version, uploadedAt: instantText(uploadedAt), state: buildState(build, now) },
    // The build was not given to any group yet.
    externalBuildState: tested === 'READY_FOR_BETA_TESTING' ? 'READY_FOR_BETA_SUBMISSION' : tested,
  }
}
