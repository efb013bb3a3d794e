import { DAY } from './durations.js'
import type {
  AppStoreVersion,
  Phasing,
  ReleaseChoice,
  SimulatedAppStore,
  Submission,
} from './app_store_state.js'
import type { TimeOut } from './store_reviews.js'

/*
 * The state of versions of a simulated App Store at an instant, computed from stored times.
 */

/** Percent of users on each day of a phased release. */
export const LADDER = [1, 2, 5, 10, 20, 50, 100] as const
/** Maximum total pause of phased releases, in milliseconds. */
export const PAUSE_BUDGET_MS = 30 * DAY
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
  | 'DEVELOPER_REMOVED_FROM_SALE'
  | 'REPLACED_WITH_NEW_VERSION'

/** Returns whether the store shows a version: not for a while after its creation. */
export const isShown = (
  { settings }: SimulatedAppStore,
  { madeAt }: AppStoreVersion,
  now: number
) => madeAt === undefined || now >= madeAt + settings.appearingMs

export const isOff = ({ offSale = [] }: AppStoreVersion, now: number) =>
  offSale.some(({ from, until }) => from <= now && (until === null || now < until))

/** Returns the pauses that had begun by an instant, which may be a past one. */
const pausesUntil = ({ pauses }: Phasing, now: number) => pauses.filter(({ from }) => from <= now)

/**
 * Returns the total time of pauses until now, in milliseconds; at most the allowed time, after
 * which the release continues by itself.
 */
export function pausedMs(phasing: Phasing, now: number): number {
  const pauses = pausesUntil(phasing, now)
  const sum = pauses.reduce((all, { from, until }) => all + Math.min(until ?? now, now) - from, 0)
  return Math.min(sum, PAUSE_BUDGET_MS)
}

interface PhasedRelease {
  state: 'INACTIVE' | 'ACTIVE' | 'PAUSED' | 'COMPLETE'
  /** From 1 to 7; null while it has not begun. */
  day: number | null
  percentage: number
  pausedMs: number
  startedAt: number | null
}

/** Returns the state of a version's phased release. */
export function phasedRelease(
  store: SimulatedAppStore,
  version: AppStoreVersion,
  now: number
): PhasedRelease {
  const began = releasedAt(version, now)
  const { phasing } = version
  if (began === null || !phasing)
    return { state: 'INACTIVE', day: null, percentage: 0, pausedMs: 0, startedAt: null }
  const replacedAt = replacementOf(store, version, now)
  const until = replacedAt ?? now
  const held = pausedMs(phasing, until)
  const passed = Math.min(Math.floor((until - began - held) / DAY) + 1, LADDER.length)
  const isGivenToAll = phasing.completedAt !== null && phasing.completedAt <= until
  const day = isGivenToAll ? LADDER.length : passed
  const spent = { pausedMs: held, startedAt: began, day, percentage: LADDER[day - 1] }
  // A version that is replaced keeps the share that it had.
  if (day === LADDER.length || replacedAt !== null) return { state: 'COMPLETE', ...spent }
  const last = pausesUntil(phasing, now).at(-1)
  const isOpen = last !== undefined && (last.until === null || last.until > now)
  const state = isOpen && held < PAUSE_BUDGET_MS ? 'PAUSED' : 'ACTIVE'
  return { state, ...spent }
}

/** Returns when a version reached users; null if it has not. */
export function releasedAt(version: AppStoreVersion, now: number): number | null {
  const last = version.submissions.at(-1)
  if (!last || last.verdict !== 'approved' || isCanceled(last)) return null
  const at = version.releasedByHandAt ?? automaticReleaseAt(version.release, last.endsAt)
  return at !== null && at <= now ? at : null
}

/** Returns when an approved version is released without a person; null if it waits for one. */
function automaticReleaseAt(choice: ReleaseChoice, approvedAt: number): number | null {
  if (choice.type === 'MANUAL') return null
  return choice.type === 'SCHEDULED' ? Math.max(choice.at, approvedAt) : approvedAt
}

const isCanceled = ({ canceledAt }: Submission) => canceledAt !== null

/** Returns when a later version reached users; null for none. */
function replacementOf(
  { versions }: SimulatedAppStore,
  { id }: AppStoreVersion,
  now: number
): number | null {
  const later = versions.slice(versions.findIndex((each) => each.id === id) + 1)
  const outs = later.flatMap((each) => releasedAt(each, now) ?? [])
  return outs.length === 0 ? null : Math.min(...outs)
}

export const isReplaced = (store: SimulatedAppStore, version: AppStoreVersion, now: number) =>
  replacementOf(store, version, now) !== null

/** Returns the time whose state a read shows now. */
export const listedAt = ({ settings }: SimulatedAppStore, now: number) => now - settings.lagMs

/**
 * Returns the store as it was at an instant, as reads with a lag show it. The contents of versions,
 * such as their builds, are the present ones.
 */
export const asOf = (store: SimulatedAppStore, at: number): SimulatedAppStore => ({
  ...store,
  versions: store.versions
    .filter(({ madeAt }) => madeAt === undefined || madeAt <= at)
    .map((version) => ({
      ...version,
      submissions: version.submissions
        .filter((each) => each.at <= at)
        .map((each) => ({
          ...each,
          canceledAt: each.canceledAt !== null && each.canceledAt <= at ? each.canceledAt : null,
        })),
    })),
})

/** Returns when versions were available to users. */
export function timesOut(store: SimulatedAppStore, now: number): TimeOut[] {
  const outs = store.versions.flatMap((each) => {
    const from = releasedAt(each, now)
    return from === null ? [] : [{ version: each.version, from }]
  })
  return outs.map((each, index) => ({ ...each, until: outs[index + 1]?.from ?? null }))
}

/** Returns a state of `VersionState`, or the state that a scenario gives it. */
export function versionState(
  store: SimulatedAppStore,
  version: AppStoreVersion,
  now: number
): string {
  if (version.pinned !== null) return version.pinned
  return statedBy(store, version, now)
}

function statedBy(store: SimulatedAppStore, version: AppStoreVersion, now: number): VersionState {
  const last = version.submissions.at(-1)
  if (!last) return 'PREPARE_FOR_SUBMISSION'
  if (isReplaced(store, version, now)) return 'REPLACED_WITH_NEW_VERSION'
  const { cancelingMs, distributingMs } = store.settings
  const isCancellationDone = isCanceled(last) && now >= last.canceledAt! + cancelingMs
  if (isCancellationDone) return 'DEVELOPER_REJECTED'
  if (now < last.beginsAt) return 'WAITING_FOR_REVIEW'
  if (now < last.endsAt) return 'IN_REVIEW'
  if (isCanceled(last)) {
    return last.canceledAt! < last.endsAt ? 'IN_REVIEW' : 'PENDING_DEVELOPER_RELEASE'
  }
  if (last.verdict === 'rejected') return 'REJECTED'
  if (last.verdict === 'metadataRejected') return 'METADATA_REJECTED'
  const out = releasedAt(version, now)
  if (out !== null) {
    if (isOff(version, now)) return 'DEVELOPER_REMOVED_FROM_SALE'
    return now < out + distributingMs ? 'PROCESSING_FOR_DISTRIBUTION' : 'READY_FOR_DISTRIBUTION'
  }
  return version.release.type === 'MANUAL' ? 'PENDING_DEVELOPER_RELEASE' : 'PENDING_APPLE_RELEASE'
}
