import { unfitFor, unusableFor } from './app_store_builds.js'
import {
  refused,
  type AppStoreVersion,
  type Phasing,
  type Refused,
  type ReleaseChoice,
  type ReviewFile,
  type Result,
  type SimulatedAppStore,
  type Verdict,
} from './app_store_state.js'
import {
  isOff,
  isReplaced,
  isShown,
  PAUSE_BUDGET_MS,
  pausedMs,
  phasedRelease,
  releasedAt,
  versionState,
  type VersionState,
} from './version_states.js'
import { chance } from './chance.js'
import { tooLongIn, withTexts, type StoreTexts } from './store_texts.js'

/*
 * The versions of App Store Connect: a version is prepared, submitted, reviewed, released and
 * rolled out over seven days. The outcome of a step is decided when the step begins. README.md
 * lists the rules.
 */

/** Creates a version. It has to be higher than the last one, which has to be released by now. */
export function createVersion(
  store: SimulatedAppStore,
  now: number,
  input: Pick<AppStoreVersion, 'version' | 'release'> & { phased: boolean; buildId?: string | null }
): Result {
  const { buildId = null } = input
  const last = store.versions.at(-1)
  if (last && releasedAt(last, now) === null) {
    const isItself = last.version === input.version && !isShown(store, last, now)
    return refused(isItself ? 'versionNotShown' : 'versionInFlight')
  }
  if (last && compareVersions(input.version, last.version) <= 0) return refused('versionNotHigher')
  const unfit = buildId === null ? null : unfitBuild(store, now, input.version, buildId)
  if (unfit) return refused(unfit)
  const version: AppStoreVersion = {
    id: input.version,
    version: input.version,
    buildId,
    release: input.release,
    phasing: phasingOf(input.phased),
    submissions: [],
    releasedByHandAt: null,
    texts: (last?.texts ?? []).map(({ whatsNew, ...kept }) => kept),
    madeAt: now,
    pinned: null,
  }
  return { store: { ...store, versions: [...store.versions, version] } }
}

const phasingOf = (isPhased: boolean): Phasing | null =>
  isPhased ? { pauses: [], completedAt: null } : null

/** Changes how a version is released, as long as it is editable. */
export function changeVersion(
  store: SimulatedAppStore,
  now: number,
  id: string,
  input: { release?: ReleaseChoice; phased?: boolean }
): Result {
  return changed(store, now, id, (version) => {
    if (!isEditable(store, version, now)) return 'notEditable'
    const { release: how = version.release, phased = version.phasing !== null } = input
    return { ...version, release: how, phasing: phasingOf(phased) }
  })
}

/** Maximum lengths of texts, in characters. */
const TEXT_LIMITS = {
  title: 30,
  keywords: 100,
  promotionalText: 170,
  description: 4000,
  whatsNew: 4000,
} as const

/** Replaces texts of a locale field by field; those of other locales stay. */
export function changeTexts(
  store: SimulatedAppStore,
  now: number,
  id: string,
  given: readonly StoreTexts[]
): Result {
  return changed(store, now, id, (version) => {
    if (!isEditable(store, version, now)) return 'notEditable'
    if (tooLongIn(given, TEXT_LIMITS)) return 'textTooLong'
    return { ...version, texts: withTexts(version.texts, given) }
  })
}

/** Adds a file for the reviewer; idempotent by name and content. */
export function addReviewFile(
  store: SimulatedAppStore,
  now: number,
  id: string,
  file: Omit<ReviewFile, 'id'>
): Result {
  return changed(store, now, id, (version) => {
    if (!isEditable(store, version, now)) return 'notEditable'
    const files = version.reviewFiles ?? []
    if (files.some(({ name, sha256 }) => name === file.name && sha256 === file.sha256)) {
      return version
    }
    const added = { id: `${id}-file-${files.length + 1}`, ...file }
    return { ...version, reviewFiles: [...files, added] }
  })
}

/**
 * Attaches a build to an editable version; once submitted, its review has to be cancelled first.
 */
export function attachBuild(
  store: SimulatedAppStore,
  now: number,
  id: string,
  buildId: string
): Result {
  return changed(store, now, id, (version) => {
    if (!isEditable(store, version, now)) return 'notEditable'
    return unfitBuild(store, now, version.version, buildId) ?? { ...version, buildId }
  })
}

/** Returns why a version cannot have a build; null if it can. */
function unfitBuild(
  { builds }: SimulatedAppStore,
  now: number,
  version: string,
  buildId: string
): Refused | null {
  const build = builds.find((each) => each.id === buildId)
  return !build || build.version !== version ? 'buildUnknown' : unusableFor(build, now)
}

const EDITABLE: readonly VersionState[] = [
  'PREPARE_FOR_SUBMISSION',
  'REJECTED',
  'METADATA_REJECTED',
  'DEVELOPER_REJECTED',
]

export const isEditable = (store: SimulatedAppStore, version: AppStoreVersion, now: number) =>
  EDITABLE.includes(versionState(store, version, now) as VersionState)

/** Submits a version. A version in review cannot be submitted again. */
export function submit(store: SimulatedAppStore, seed: string, now: number, id: string): Result {
  return changed(store, now, id, (version) => {
    if (!isEditable(store, version, now)) return 'notEditable'
    const build = store.builds.find((each) => each.id === version.buildId)
    if (!build) return 'buildMissing'
    const unusable = unfitFor(build, now)
    if (unusable) return unusable
    const { waitingMs, reviewMs } = store.settings
    const beginsAt = now + waitingMs
    const verdict = verdictOf(store, seed, version)
    const submission = { at: now, beginsAt, endsAt: beginsAt + reviewMs, verdict, canceledAt: null }
    return { ...version, submissions: [...version.submissions, submission] }
  })
}

function verdictOf(
  { settings }: SimulatedAppStore,
  seed: string,
  { version, submissions }: AppStoreVersion
): Verdict {
  const configured = settings.verdicts.at(submissions.length)
  if (configured) return configured
  const rolled = chance(seed, 'app store verdict', version, submissions.length)
  if (rolled < settings.rejected) return 'rejected'
  return rolled < settings.rejected + settings.metadataRejected ? 'metadataRejected' : 'approved'
}

/**
 * Requests to cancel a review, or the pending release of an approved version. The version looks
 * unchanged until the cancellation takes effect.
 */
export function cancelReview(store: SimulatedAppStore, now: number, id: string): Result {
  return changed(store, now, id, (version) => {
    const state = versionState(store, version, now)
    const isUnderWay = CANCELABLE.includes(state as VersionState)
    const last = version.submissions.at(-1)
    if (!isUnderWay || !last) return 'notInReview'
    if (last.canceledAt !== null) return version
    const submissions = [...version.submissions.slice(0, -1), { ...last, canceledAt: now }]
    return { ...version, submissions }
  })
}

const CANCELABLE: readonly VersionState[] = [
  'WAITING_FOR_REVIEW',
  'IN_REVIEW',
  'PENDING_DEVELOPER_RELEASE',
]

export function release(store: SimulatedAppStore, now: number, id: string): Result {
  return changed(store, now, id, (version) => {
    const isCanceled = (version.submissions.at(-1)?.canceledAt ?? null) !== null
    const isPending = versionState(store, version, now) === 'PENDING_DEVELOPER_RELEASE'
    return isPending && !isCanceled ? { ...version, releasedByHandAt: now } : 'notApproved'
  })
}

/** Removes a released version from sale, or puts it back; idempotent. */
export function setOnSale(
  store: SimulatedAppStore,
  now: number,
  id: string,
  isOnSale: boolean
): Result {
  return changed(store, now, id, (version) => {
    if (releasedAt(version, now) === null || isReplaced(store, version, now)) return 'notLive'
    const { offSale = [] } = version
    if (isOnSale) return { ...version, offSale: closed(offSale, now) }
    return isOff(version, now)
      ? version
      : { ...version, offSale: [...offSale, { from: now, until: null }] }
  })
}

type RolloutAction = 'pause' | 'resume' | 'complete'

/** Pauses, resumes or completes a phased release; idempotent. */
export function rollOut(
  store: SimulatedAppStore,
  now: number,
  id: string,
  action: RolloutAction
): Result {
  return changed(store, now, id, (version) => {
    const { phasing } = version
    if (!phasing) return 'notPhased'
    const { state } = phasedRelease(store, version, now)
    if (state === 'INACTIVE' || state === 'COMPLETE' || isOff(version, now)) return 'notLive'
    if (action === 'complete') return { ...version, phasing: { ...phasing, completedAt: now } }
    if (action === 'pause') {
      if (state === 'PAUSED') return version
      if (pausedMs(phasing, now) >= PAUSE_BUDGET_MS) return 'pauseBudgetSpent'
      const pauses = [...closed(phasing.pauses, now), { from: now, until: null }]
      return { ...version, phasing: { ...phasing, pauses } }
    }
    return { ...version, phasing: { ...phasing, pauses: closed(phasing.pauses, now) } }
  })
}

const closed = (pauses: Phasing['pauses'], now: number) =>
  pauses.map((pause) => (pause.until === null ? { ...pause, until: now } : pause))

function changed(
  store: SimulatedAppStore,
  now: number,
  id: string,
  change: (version: AppStoreVersion) => AppStoreVersion | Refused
): Result {
  const version = store.versions.find((each) => each.id === id)
  if (!version || !isShown(store, version, now)) return refused('versionUnknown')
  const after = change(version)
  if (typeof after === 'string') return refused(after)
  const versions = store.versions.map((each) => (each.id === id ? after : each))
  return { store: { ...store, versions } }
}

/** Compares the first numbers that differ; a missing number counts as zero. */
function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => text.split('.').map(Number))
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
