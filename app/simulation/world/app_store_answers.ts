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
  instantOf,
  instantText,
  noAddress,
  objectsIn,
  paged,
  Refusal,
  textIn,
  textsIn,
  type Answered,
  type WorldRequest,
} from './http.js'
import { answerOfReviews, notesIn, textsOfVersion } from './store_answers.js'
import type { World } from './world.js'

/** The store of an app, with the builds that CI has sent there until now. */
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
const SAID: Readonly<Record<Refused, string>> = {
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
  complianceMissing: 'Somebody has to say first whether the build encrypts',
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

const refusalOf = (why: Refused) => new Refusal(STATUS[why] ?? 409, SAID[why], why)

function done(result: Result): SimulatedAppStore {
  if (isRefused(result)) throw refusalOf(result.refused)
  return result.store
}

/** Answers for the App Store of a world; the path begins with a bundle id. */
export function answerOfAppStore(given: World, now: number, asked: WorldRequest): Answered {
  const [bundleId, what, ...path] = asked.path
  if (bundleId === undefined || bundleId === '') throw noAddress()
  // A store is there once it is asked for.
  const isKnown = Object.hasOwn(given.appStores, bundleId)
  const appStores = { ...given.appStores, [bundleId]: given.newAppStore }
  const world = isKnown ? given : { ...given, appStores }
  const store = appStoreOf(world, bundleId, now)
  const at = { world, now, bundleId, store, asked: { ...asked, path } }
  if (what === 'versions') return answerOfVersions(at)
  if (what === 'builds') return answerOfBuilds(at)
  if (what === 'groups' && !asked.isChange) {
    return answered(world, paged(store.groups, asked.query))
  }
  if (what === 'reviews') {
    const { seed } = world
    const replied = answerOfReviews({ seed, now, outs: timesOut(store, now), store }, at.asked)
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
  asked: WorldRequest
}

/** Keeps what became of a store, and answers what it shows then. */
function kept(
  { world, bundleId }: At,
  store: SimulatedAppStore,
  show: (store: SimulatedAppStore) => object
): Answered {
  const appStores = { ...world.appStores, [bundleId]: store }
  return answered({ ...world, appStores }, show(store))
}

function answerOfVersions(at: At): Answered {
  const { world, now, store, asked } = at
  const { path, query, isChange, method } = asked
  const [id, deed] = path
  if (id === undefined) return isChange ? createOf(at) : answered(world, versionsOf(at, query))
  const find = (of: SimulatedAppStore) => of.versions.find((each) => each.id === id)
  const version = find(store)
  if (!version || !isShown(store, version, now)) throw refusalOf('versionUnknown')
  const shown = (of: SimulatedAppStore) => shownVersion(of, find(of)!, now)
  if (deed === 'texts') {
    if (!isChange) return answered(world, { items: version.texts })
    const given = textsOfVersion(objectsIn(asked, 'items'))
    const changed = done(changeTexts(store, now, id, given))
    return kept(at, changed, (of) => ({ items: find(of)!.texts }))
  }
  if (deed === 'reviewFiles') {
    if (!isChange) return answered(world, paged(version.reviewFiles ?? [], query))
    const changed = done(addReviewFile(store, now, id, reviewFileIn(asked)))
    const { name } = reviewFileIn(asked)
    return kept(at, changed, (of) => find(of)!.reviewFiles!.findLast((each) => each.name === name)!)
  }
  if (deed === undefined && !isChange) return answered(world, readOf(at, id))
  if (deed === undefined && method === 'PATCH') return kept(at, changeOf(at, store, id), shown)
  const deeds: Readonly<Record<string, () => Result>> = {
    submit: () => submit(store, world.seed, now, id),
    cancel: () => cancelReview(store, now, id),
    release: () => release(store, now, id),
    rollout: () => rollOut(store, now, id, rolloutOf(asked)),
  }
  if (!isChange || !Object.hasOwn(deeds, deed)) throw noAddress()
  return kept(at, done(deeds[deed]()), shown)
}

function reviewFileIn(asked: WorldRequest) {
  const { size } = asked.body
  if (typeof size !== 'number' || size < 1) throw new Refusal(422, 'A file has a size')
  return { name: textIn(asked, 'name'), size, sha256: textIn(asked, 'sha256') }
}

function rolloutOf(asked: WorldRequest) {
  const action = textIn(asked, 'action')
  if (action === 'pause' || action === 'resume' || action === 'complete') return action
  throw new Refusal(422, `A phased release does not ${action}`)
}

/** Either all of it is stored, or nothing. */
function createOf(at: At): Answered {
  const { now, store, asked } = at
  const { phased, buildId } = asked.body
  const made = done(
    createVersion(store, now, {
      version: textIn(asked, 'version'),
      release: releaseIn(asked) ?? { type: 'MANUAL' },
      phased: phased === true,
      buildId: typeof buildId === 'string' ? buildId : null,
    })
  )
  return kept(at, made, (of) => shownVersion(of, of.versions.at(-1)!, now))
}

function changeOf(at: At, store: SimulatedAppStore, id: string): SimulatedAppStore {
  const { now, asked } = at
  const { phased, buildId } = asked.body
  const input = {
    release: releaseIn(asked) ?? undefined,
    phased: typeof phased === 'boolean' ? phased : undefined,
  }
  const changed = done(changeVersion(store, now, id, input))
  return typeof buildId === 'string' ? done(attachBuild(changed, now, id, buildId)) : changed
}

function releaseIn({ body }: WorldRequest): ReleaseChoice | null {
  const { releaseType: type, earliestReleaseDate } = body
  if (type === undefined) return null
  if (type === 'MANUAL' || type === 'AFTER_APPROVAL') return { type }
  const at = Date.parse(String(earliestReleaseDate))
  if (type === 'SCHEDULED' && !Number.isNaN(at)) return { type, at }
  throw new Refusal(422, 'The release type is none, or its date is missing')
}

/** Returns the maximum age of read data, in seconds. */
const lagOf = ({ settings }: SimulatedAppStore) => ({
  lagSeconds: Math.ceil(settings.lagMs / 1000),
})

/** A version as it was a little while ago. */
function readOf({ store, now }: At, id: string): object {
  const then = listedAt(store, now)
  const past = asOf(store, then)
  const version = past.versions.find((each) => each.id === id)
  if (!version) throw refusalOf('versionUnknown')
  return { ...shownVersion(past, version, then), ...lagOf(store) }
}

/**
 * Those that are shown, as they were a little while ago, beside the names of those that were made
 * and are not shown yet.
 */
function versionsOf({ store, now }: At, query: URLSearchParams): object {
  const [name, states] = [query.get('version'), query.getAll('state')]
  const then = listedAt(store, now)
  const past = asOf(store, then)
  const isWanted = ({ version }: AppStoreVersion) => name === null || version === name
  const visible = past.versions.filter((each) => isWanted(each) && isShown(store, each, now))
  const found = visible.filter(
    (each) => states.length === 0 || states.includes(versionState(past, each, then))
  )
  const ids = new Set(visible.map(({ id }) => id))
  const hidden = store.versions.filter((each) => isWanted(each) && !ids.has(each.id))
  return {
    ...paged(found, query, (each) => shownVersion(past, each, then)),
    ...lagOf(store),
    ...(hidden.length === 0 ? {} : { appearing: hidden.map(({ version }) => version) }),
  }
}

/** The real one says it in its console alone; this one has none but its API. */
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

function answerOfBuilds(at: At): Answered {
  const { world, now, store, asked } = at
  const { path, query, isChange } = asked
  const [id, what] = path
  if (id === undefined && !isChange) {
    const [wanted, since] = [query.get('version'), instantOf(query, 'since')]
    const found = store.builds.filter(
      ({ version, uploadedAt }) =>
        (wanted === null || version === wanted) && (since === null || uploadedAt >= since)
    )
    return answered(
      world,
      paged(found, query, (build) => shownBuild(store, build, now))
    )
  }
  if (what === 'notes' && isChange) {
    return kept(at, done(noteForTesters(store, id, notesIn(asked))), () => ({}))
  }
  if (what !== 'groups' || !isChange) throw noAddress()
  const given = { buildId: id, groupIds: textsIn(asked, 'groupIds') }
  return kept(at, done(giveToGroups(store, world.seed, now, given)), (of) => ({
    state: betaState(of, now, given),
  }))
}

function shownBuild(store: SimulatedAppStore, build: AppStoreBuild, now: number) {
  const { id, number, version, uploadedAt } = build
  const groupIds = store.groups.map((each) => each.id)
  const tested = betaState(store, now, { buildId: id, groupIds })
  return {
    ...{ id, number, version, uploadedAt: instantText(uploadedAt), state: buildState(build, now) },
    // Nobody was given it yet.
    externalBuildState: tested === 'READY_FOR_BETA_TESTING' ? 'READY_FOR_BETA_SUBMISSION' : tested,
  }
}
