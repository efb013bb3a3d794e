import type { Instant } from '#foundation/core/clock'
import { compareVersions, MAX_VERSION_PART, type Version } from '#workflow/version'
import type { DefaultReleaseType } from '#workflow/vocabulary'
import { WEEK } from '#foundation/core/durations'
import {
  datesOf,
  firstSlot,
  kickoffDate,
  slotAfter,
  type Cadence,
  type CadenceException,
  type TrainDates,
} from './cadence.js'
import { freezesAt, type Freeze, type Phase } from './freezes.js'
import type { LocalDate } from './local_time.js'
import type { PilotRotation } from '#releases/rotation/pilot_rotation'
import { afterTurn, nextInRotation } from './rotation.js'

/**
 * The facts that determine future trains. They contain no clock: the same facts give the same
 * trains at any time.
 */
export interface ScheduleFacts {
  cadence: Cadence
  /** Trains that begin before this day are decided: drafted, left out, or before the cadence. */
  undecidedFrom: LocalDate
  freezes: readonly Freeze[]
  defaultReleaseType: DefaultReleaseType
  /**
   * The releases of the app. Of those that kick off before the trains to come, the highest
   * suffices.
   */
  releases: readonly ReleaseOnTheWay[]
  rotation: PilotRotation
  /** Days, in the zone of the cadence, on which releases made by hand kick off. */
  ownKickoffs: ReadonlySet<LocalDate>
  /** Days whose trains were drafted, by the cadence at that time. */
  drafted: readonly LocalDate[]
  /** Returns whether a user still exists: an exception does not count for a pilot who left. */
  known: (userId: string) => boolean
}

/** A release from which the versions of later trains are counted. */
interface ReleaseOnTheWay {
  version: Version
  /** Null without a target date: it counts as earlier than all trains. */
  kickoffAt: Instant | null
}

/** The train of a day, or why there is none. */
export interface Slot {
  date: LocalDate
  dates: TrainDates
  /**
   * Why there is no train: it was skipped by hand, lies in a freeze, or an existing release takes
   * its place.
   */
  leftOut: 'skipped' | 'frozen' | 'own' | 'drafted' | null
  /** Ids of the freezes that a target date lies in. */
  frozenBy: string[]
}

/** A train that is not drafted yet. */
export interface PredictedTrain extends Slot {
  leftOut: null
  version: Version
  pilotId: string | null
}

/** The version of the first train of an app. */
const FIRST: Version = { major: 1, minor: 0, patch: 0 }

/** Yields the undecided trains of a cadence, without end. */
export function* slots(facts: ScheduleFacts): Generator<Slot> {
  const { cadence, undecidedFrom, ownKickoffs } = facts
  const exceptions = new Map(cadence.exceptions.map((each) => [each.date, each]))
  for (let date = firstSlot(cadence, undecidedFrom); ; date = slotAfter(cadence, date)) {
    const exception = exceptions.get(date)
    const begins = exception?.movedTo ?? date
    const dates = datesOf(cadence, begins)
    const frozenBy = frozenDates(facts.freezes, dates)
    const isOwn = ownKickoffs.has(kickoffDate(cadence, begins))
    const replacement = isOwn ? 'own' : standsFor(facts, date) ? 'drafted' : null
    yield { date, dates, frozenBy, leftOut: reasonOf(cadence, exception, replacement, frozenBy) }
  }
}

/**
 * Yields the trains that kick off until an instant, as they will be drafted unless a fact changes.
 */
export function* predictedTrains(facts: ScheduleFacts, until: Instant): Generator<PredictedTrain> {
  let { rotation } = facts
  let before: Version | null = null
  for (const slot of slots(facts)) {
    if (slot.dates.kickoffAt > until) return
    if (slot.leftOut !== null) continue
    const version = versionOf(facts, before, slot)
    if (version === null) return
    const pilotId = pilotOf(facts, rotation, slot)
    yield { ...slot, leftOut: null, version, pilotId }
    before = version
    rotation = afterTurn(rotation, pilotId)
  }
}

/**
 * Returns the next free version after those of the releases that leave before a train; null if
 * there is none.
 */
function versionOf(
  { releases, defaultReleaseType }: ScheduleFacts,
  before: Version | null,
  { dates: { kickoffAt } }: Slot
): Version | null {
  const earlier = releases.filter((each) => each.kickoffAt === null || each.kickoffAt <= kickoffAt)
  const versions = [...earlier.map(({ version }) => version), ...(before ? [before] : [])]
  let version = nextVersion(highestOf(versions), defaultReleaseType)
  while (version !== null && isTaken(releases, version)) {
    version = nextVersion(version, defaultReleaseType)
  }
  return version
}

const highestOf = (versions: readonly Version[]) =>
  versions.reduce<Version | null>(
    (highest, each) => (highest && compareVersions(highest, each) >= 0 ? highest : each),
    null
  )

const isTaken = (releases: readonly ReleaseOnTheWay[], version: Version) =>
  releases.some((each) => compareVersions(each.version, version) === 0)

/** Returns when the train of a day is drafted: some weeks before its kickoff. */
export function draftAt({ draftWeeksAhead }: Cadence, { dates }: Slot): Instant {
  const ahead = draftWeeksAhead * WEEK
  return new Date(Date.parse(dates.kickoffAt) - ahead).toISOString()
}

function reasonOf(
  { skipFrozenDates }: Cadence,
  exception: CadenceException | undefined,
  replacement: 'own' | 'drafted' | null,
  frozenBy: readonly string[]
): Slot['leftOut'] {
  if (exception?.skipped) return 'skipped'
  if (replacement !== null) return replacement
  return skipFrozenDates && frozenBy.length > 0 ? 'frozen' : null
}

/**
 * Returns whether a train drafted before a change of the cadence takes the place of a day's train:
 * it begins nearer to it than to any other. The first train stays on the day that somebody chose.
 */
function standsFor({ cadence, drafted }: ScheduleFacts, date: LocalDate): boolean {
  if (date === cadence.startDate) return false
  const half = (cadence.intervalWeeks * WEEK) / 2
  return drafted.some((each) => Math.abs(Date.parse(each) - Date.parse(date)) < half)
}

/** Returns the ids of the freezes in which a target date lies. */
export function frozenDates(
  freezes: readonly Freeze[],
  { kickoffAt, submitAt, releaseAt }: { [Name in keyof TrainDates]: Instant | null }
): string[] {
  const targets: [Phase, Instant | null][] = [
    ['kickoff', kickoffAt],
    ['submit', submitAt],
    ['release', releaseAt],
  ]
  const hit = new Set(
    targets.flatMap(([phase, at]) =>
      at === null ? [] : freezesAt(freezes, phase, at).map(({ id }) => id)
    )
  )
  return freezes.flatMap(({ id }) => (hit.has(id) ? [id] : []))
}

function pilotOf({ cadence, known }: ScheduleFacts, rotation: PilotRotation, slot: Slot) {
  const exception = cadence.exceptions.find(({ date }) => date === slot.date)
  const named = exception?.pilotId ?? null
  if (named !== null && known(named)) return named
  const begins = exception?.movedTo ?? slot.date
  return nextInRotation(rotation, kickoffDate(cadence, begins), cadence.absences)
}

/**
 * Returns the version of the next train: a major, minor or point one by the app's default type.
 * `standard` and `rollback`, which name no part of a version, give a minor one.
 * @returns null if a part cannot grow
 */
export function nextVersion(highest: Version | null, type: DefaultReleaseType): Version | null {
  if (highest === null) return FIRST
  const { major, minor, patch } = highest
  const next =
    type === 'major'
      ? { major: major + 1, minor: 0, patch: 0 }
      : type === 'point'
        ? { major, minor, patch: patch + 1 }
        : { major, minor: minor + 1, patch: 0 }
  return Math.max(next.major, next.minor, next.patch) > MAX_VERSION_PART ? null : next
}
