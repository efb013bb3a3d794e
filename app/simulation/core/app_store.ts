import { chance } from './chance.js'

/*
 * App Store Connect as far as versions go: a build is processed, a version is prepared, submitted,
 * reviewed, released and rolled out over seven days. What becomes of something is settled when it
 * begins; states are read from instants, which are milliseconds since the epoch. The rules are
 * those of docs/decisions/0035-the-rules-of-simulated-stores.md.
 */

export interface AppStoreSettings {
  /** From an upload until a build can be used. */
  processingMs: number
  /** From a submission until its review begins, and from there until its verdict. */
  waitingMs: number
  reviewMs: number
  /** Shares of reviews that end with a rejection, of the app or of its texts alone; 0 to 1. */
  rejected: number
  metadataRejected: number
  /** How long a cancellation takes until it holds. */
  cancelingMs: number
  /** From a release until the store has it everywhere. */
  distributingMs: number
}

export interface AppStoreBuild {
  id: string
  number: string
  version: string
  uploadedAt: number
  /** When it is processed; null for one that is stuck. */
  processedAt: number | null
  isInvalid: boolean
}

export type Verdict = 'approved' | 'rejected' | 'metadataRejected'

interface Submission {
  at: number
  beginsAt: number
  endsAt: number
  verdict: Verdict
  /** When somebody asked to cancel it. */
  canceledAt: number | null
}

interface Phasing {
  /** Spans in which it was held; the last may be open. */
  pauses: readonly { from: number; until: number | null }[]
  /** When it was given to all before its time. */
  completedAt: number | null
}

export interface AppStoreVersion {
  id: string
  version: string
  buildId: string | null
  release: { type: 'MANUAL' | 'AFTER_APPROVAL' } | { type: 'SCHEDULED'; at: number }
  /** Null where it comes to everybody at once. */
  phasing: Phasing | null
  submissions: readonly Submission[]
  /** When somebody released what was approved. */
  releasedByHandAt: number | null
}

export interface SimulatedAppStore {
  settings: AppStoreSettings
  builds: readonly AppStoreBuild[]
  /** The oldest first; all but the last are live, or were. */
  versions: readonly AppStoreVersion[]
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

export const USUAL_APP_STORE: SimulatedAppStore = {
  settings: {
    processingMs: 15 * MINUTE,
    waitingMs: 8 * 60 * MINUTE,
    reviewMs: 90 * MINUTE,
    rejected: 0.08,
    metadataRejected: 0.04,
    cancelingMs: 2 * MINUTE,
    distributingMs: 30 * MINUTE,
  },
  builds: [],
  versions: [],
}

/** Percent of users on each day of a phased release. */
export const LADDER = [1, 2, 5, 10, 20, 50, 100] as const
/** How long phased releases may be held in all. */
export const PAUSE_BUDGET_MS = 30 * DAY
/** How long a build can be tested and submitted. */
export const BUILD_LIFE_MS = 90 * DAY

export type VersionState =
  | 'PREPARE_FOR_SUBMISSION'
  | 'WAITING_FOR_REVIEW'
  | 'IN_REVIEW'
  | 'REJECTED'
  | 'METADATA_REJECTED'
  | 'DEVELOPER_REJECTED'
  | 'PENDING_DEVELOPER_RELEASE'
  | 'PENDING_APPLE_RELEASE'
  | 'PROCESSING_FOR_DISTRIBUTION'
  | 'READY_FOR_DISTRIBUTION'
  | 'REPLACED_WITH_NEW_VERSION'

/** What the store refuses, and why. */
export type Refused =
  | 'versionInFlight'
  | 'versionNotHigher'
  | 'buildTaken'
  | 'buildUnknown'
  | 'buildNotReady'
  | 'buildInvalid'
  | 'buildExpired'
  | 'versionUnknown'
  | 'notEditable'
  | 'buildMissing'
  | 'notInReview'
  | 'notApproved'
  | 'notPhased'
  | 'notLive'
  | 'pauseBudgetSpent'

export type Result = { store: SimulatedAppStore } | { refused: Refused }

const refused = (why: Refused): Result => ({ refused: why })
export const isRefused = (result: Result): result is { refused: Refused } => 'refused' in result

/** A pair of version and number comes once. */
export function uploadBuild(
  store: SimulatedAppStore,
  now: number,
  { number, version }: { number: string; version: string },
  fate: 'valid' | 'invalid' | 'stuck' = 'valid'
): Result {
  const isTaken = store.builds.some((each) => each.number === number && each.version === version)
  if (isTaken) return refused('buildTaken')
  const build: AppStoreBuild = {
    id: `${version} ${number}`,
    number,
    version,
    uploadedAt: now,
    processedAt: fate === 'stuck' ? null : now + store.settings.processingMs,
    isInvalid: fate === 'invalid',
  }
  return { store: { ...store, builds: [...store.builds, build] } }
}

export type BuildState = 'PROCESSING' | 'VALID' | 'INVALID' | 'EXPIRED'

export function buildState(build: AppStoreBuild, now: number): BuildState {
  if (build.processedAt === null || now < build.processedAt) return 'PROCESSING'
  if (build.isInvalid) return 'INVALID'
  return now < build.uploadedAt + BUILD_LIFE_MS ? 'VALID' : 'EXPIRED'
}

/** Only above the last version, and only once that is live. */
export function createVersion(
  store: SimulatedAppStore,
  now: number,
  input: Pick<AppStoreVersion, 'version' | 'release'> & { phased: boolean }
): Result {
  const last = store.versions.at(-1)
  if (last && releasedAt(last, now) === null) return refused('versionInFlight')
  if (last && compareVersions(input.version, last.version) <= 0) return refused('versionNotHigher')
  const version: AppStoreVersion = {
    id: input.version,
    version: input.version,
    buildId: null,
    release: input.release,
    phasing: input.phased ? { pauses: [], completedAt: null } : null,
    submissions: [],
    releasedByHandAt: null,
  }
  return { store: { ...store, versions: [...store.versions, version] } }
}

/** A build can be changed until it is submitted; after that the review is cancelled first. */
export function attachBuild(
  store: SimulatedAppStore,
  now: number,
  id: string,
  buildId: string
): Result {
  return changed(store, id, (version) => {
    if (!isEditable(store, version, now)) return 'notEditable'
    const build = store.builds.find((each) => each.id === buildId)
    if (!build || build.version !== version.version) return 'buildUnknown'
    const unusable = unusableFor(build, now)
    return unusable ?? { ...version, buildId }
  })
}

function unusableFor(build: AppStoreBuild, now: number): Refused | null {
  const why = {
    PROCESSING: 'buildNotReady',
    INVALID: 'buildInvalid',
    EXPIRED: 'buildExpired',
    VALID: null,
  } as const
  return why[buildState(build, now)]
}

const EDITABLE: readonly VersionState[] = [
  'PREPARE_FOR_SUBMISSION',
  'REJECTED',
  'METADATA_REJECTED',
  'DEVELOPER_REJECTED',
]

export const isEditable = (store: SimulatedAppStore, version: AppStoreVersion, now: number) =>
  EDITABLE.includes(versionState(store, version, now))

/** Of an app one version is under way, so a version in review cannot be submitted again. */
export function submit(store: SimulatedAppStore, seed: string, now: number, id: string): Result {
  return changed(store, id, (version) => {
    if (!isEditable(store, version, now)) return 'notEditable'
    const build = store.builds.find((each) => each.id === version.buildId)
    if (!build) return 'buildMissing'
    const unusable = unusableFor(build, now)
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
  const rolled = chance(seed, 'app store verdict', version, submissions.length)
  if (rolled < settings.rejected) return 'rejected'
  return rolled < settings.rejected + settings.metadataRejected ? 'metadataRejected' : 'approved'
}

/** Asks to end a review. It goes on to look like one until the cancellation holds. */
export function cancelReview(store: SimulatedAppStore, now: number, id: string): Result {
  return changed(store, id, (version) => {
    const state = versionState(store, version, now)
    const isUnderWay = state === 'WAITING_FOR_REVIEW' || state === 'IN_REVIEW'
    const last = version.submissions.at(-1)
    if (!isUnderWay || !last) return 'notInReview'
    if (last.canceledAt !== null) return version
    const submissions = [...version.submissions.slice(0, -1), { ...last, canceledAt: now }]
    return { ...version, submissions }
  })
}

export function release(store: SimulatedAppStore, now: number, id: string): Result {
  return changed(store, id, (version) =>
    versionState(store, version, now) === 'PENDING_DEVELOPER_RELEASE'
      ? { ...version, releasedByHandAt: now }
      : 'notApproved'
  )
}

export type RolloutDeed = 'pause' | 'resume' | 'complete'

/** Holds a phased release, lets it go on, or gives it to all. What is so already stays so. */
export function rollOut(
  store: SimulatedAppStore,
  now: number,
  id: string,
  deed: RolloutDeed
): Result {
  return changed(store, id, (version) => {
    const { phasing } = version
    if (!phasing) return 'notPhased'
    const { state } = phasedRelease(store, version, now)
    if (state === 'INACTIVE' || state === 'COMPLETE') return 'notLive'
    if (deed === 'complete') return { ...version, phasing: { ...phasing, completedAt: now } }
    if (deed === 'pause') {
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

/** How long it was held until now, at most what is allowed: then it goes on by itself. */
function pausedMs({ pauses }: Phasing, now: number): number {
  const sum = pauses.reduce((all, { from, until }) => all + Math.min(until ?? now, now) - from, 0)
  return Math.min(sum, PAUSE_BUDGET_MS)
}

export interface PhasedRelease {
  state: 'INACTIVE' | 'ACTIVE' | 'PAUSED' | 'COMPLETE'
  /** From 1 to 7; null while it has not begun. */
  day: number | null
  percentage: number
  pausedMs: number
}

/** Where the phased release of a version is. */
export function phasedRelease(
  store: SimulatedAppStore,
  version: AppStoreVersion,
  now: number
): PhasedRelease {
  const began = releasedAt(version, now)
  const { phasing } = version
  if (began === null || !phasing)
    return { state: 'INACTIVE', day: null, percentage: 0, pausedMs: 0 }
  const held = pausedMs(phasing, now)
  const day = Math.min(Math.floor((now - began - held) / DAY) + 1, LADDER.length)
  const isOver =
    day === LADDER.length ||
    (phasing.completedAt !== null && phasing.completedAt <= now) ||
    isReplaced(store, version, now)
  if (isOver) return { state: 'COMPLETE', day: LADDER.length, percentage: 100, pausedMs: held }
  const isOpen = phasing.pauses.at(-1)?.until === null
  const state = isOpen && held < PAUSE_BUDGET_MS ? 'PAUSED' : 'ACTIVE'
  return { state, day, percentage: LADDER[day - 1], pausedMs: held }
}

/** When a version comes to users; null while it does not, or nobody knows. */
function releasedAt(version: AppStoreVersion, now: number): number | null {
  const last = version.submissions.at(-1)
  if (!last || last.verdict !== 'approved' || isCanceled(last)) return null
  const { release: how } = version
  const at =
    version.releasedByHandAt ??
    (how.type === 'MANUAL'
      ? null
      : how.type === 'SCHEDULED'
        ? Math.max(how.at, last.endsAt)
        : last.endsAt)
  return at !== null && at <= now ? at : null
}

/** A cancellation that came before the verdict. */
const isCanceled = ({ canceledAt, endsAt }: Submission) =>
  canceledAt !== null && canceledAt < endsAt

const isReplaced = ({ versions }: SimulatedAppStore, { id }: AppStoreVersion, now: number) =>
  versions
    .slice(versions.findIndex((each) => each.id === id) + 1)
    .some((each) => releasedAt(each, now) !== null)

/** What App Store Connect calls the state of a version. */
export function versionState(
  store: SimulatedAppStore,
  version: AppStoreVersion,
  now: number
): VersionState {
  const last = version.submissions.at(-1)
  if (!last) return 'PREPARE_FOR_SUBMISSION'
  if (isReplaced(store, version, now)) return 'REPLACED_WITH_NEW_VERSION'
  const { cancelingMs, distributingMs } = store.settings
  const isOver = isCanceled(last) && now >= last.canceledAt! + cancelingMs
  if (isOver) return 'DEVELOPER_REJECTED'
  if (now < last.beginsAt) return 'WAITING_FOR_REVIEW'
  if (now < last.endsAt || isCanceled(last)) return 'IN_REVIEW'
  if (last.verdict === 'rejected') return 'REJECTED'
  if (last.verdict === 'metadataRejected') return 'METADATA_REJECTED'
  const out = releasedAt(version, now)
  if (out !== null) {
    return now < out + distributingMs ? 'PROCESSING_FOR_DISTRIBUTION' : 'READY_FOR_DISTRIBUTION'
  }
  return version.release.type === 'MANUAL' ? 'PENDING_DEVELOPER_RELEASE' : 'PENDING_APPLE_RELEASE'
}

function changed(
  store: SimulatedAppStore,
  id: string,
  change: (version: AppStoreVersion) => AppStoreVersion | Refused
): Result {
  const version = store.versions.find((each) => each.id === id)
  if (!version) return refused('versionUnknown')
  const after = change(version)
  if (typeof after === 'string') return refused(after)
  const versions = store.versions.map((each) => (each.id === id ? after : each))
  return { store: { ...store, versions } }
}

/** By their numbers, the first that differs; a missing one is zero. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => text.split('.').map(Number))
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
