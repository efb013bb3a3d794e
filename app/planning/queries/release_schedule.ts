import { compareTexts } from '../../foundation/core/compare_texts.js'
import { findApp } from '#apps/queries/find_app'
import { earlier, later, type Instant } from '#foundation/core/clock'
import { of, select } from '#foundation/core/database/statement'
import { DAY, WEEK } from '#foundation/core/durations'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { peopleOf, type PersonSummary } from '#organizations/queries/people'
import { readReleases } from '#releases/queries/read_release'
import { normalVersion } from '#workflow/version'
import type { LocalDate } from '../calendar/local_time.js'
import { frozenDates, predictedTrains, type PredictedTrain } from '../calendar/schedule.js'
import type { ReleaseScheduleEntryEntity } from '../entities.js'
import { appPlan, type AppPlan } from '../plans/plans.js'
import { releasePlans } from '../tables.js'
import type { WindowQuery } from '../validators/planning_input.js'
import { MAX_SCHEDULE_YEARS } from '../vocabulary.js'
import { isRunning, scheduleFacts } from './schedule_facts.js'

const TWELVE_WEEKS = 12 * WEEK

const IN_WINDOW = ['kickoff', 'submit', 'release']
  .map((phase) => `r.target_${phase}_at between :from and :to`)
  .join(' or ')

const SLOTS = select(
  of(releasePlans, 'p', ['releaseId', 'slot']),
  `from release_plans p
  where p.organization_id = :org and p.app_id = :appId and p.slot is not null`
)

/**
 * Returns the releases of an app with a target date in a window, and those that its cadence will
 * draft, by date. The default window is the next twelve weeks.
 * @throws invalid_input
 */
export async function releaseSchedule(
  scope: Scope,
  appId: string,
  query: WindowQuery
): Promise<ReleaseScheduleEntryEntity[]> {
  const scheduled = await scheduledIn(scope, appId, windowOf(query, scope.now))
  return scheduled.map(({ entry }) => entry)
}

/** A schedule entry with a stable key. */
export interface Scheduled {
  /** The key, which does not change when the train is drafted. */
  key: string
  /** Time of the last change. */
  changedAt: Instant
  entry: ReleaseScheduleEntryEntity
}

export interface Window {
  from: Instant
  to: Instant
}

/** Returns the schedule within a window, by date. */
export async function scheduledIn(
  scope: Scope,
  appId: string,
  window: Window
): Promise<Scheduled[]> {
  const plan = await appPlan(scope, appId)
  const drafted = await draftedEntries(scope, appId, plan, window)
  const predicted = await predictedEntries(scope, appId, plan, window)
  return [...drafted, ...predicted].sort((one, other) => {
    const [first, second] = [firstDate(one.entry), firstDate(other.entry)]
    return compareTexts(first, second)
  })
}

function windowOf({ from: begin, to: end }: WindowQuery, now: Instant): Window {
  const from = begin ?? (end === undefined || end > now ? now : earlier(end, TWELVE_WEEKS))
  const to = end ?? later(from, TWELVE_WEEKS)
  if (to > from) return { from, to }
  const message = 'to must come after from.'
  throw refuse('invalid_input', {
    detail: message,
    errors: [{ parameter: 'to', code: 'period', message }],
  })
}

const firstDate = (entry: ReleaseScheduleEntryEntity) =>
  entry.targetKickoffAt ?? entry.targetSubmitAt ?? entry.targetReleaseAt!

async function draftedEntries(
  scope: Scope,
  appId: string,
  { freezes }: AppPlan,
  window: Window
): Promise<Scheduled[]> {
  const found = await readReleases(scope, appId, `and (${IN_WINDOW})`, { ...window })
  const slots = new Map<string, LocalDate>()
  if (found.length > 0) {
    for (const { releaseId, slot } of await scope.rows(SLOTS, { appId }))
      slots.set(releaseId, slot!)
  }
  return found.map(({ release, pilot }) => {
    const { targetKickoffAt, targetSubmitAt, targetReleaseAt, updatedAt: changedAt } = release
    const slot = slots.get(release.id) ?? null
    const entry: ReleaseScheduleEntryEntity = {
      releaseId: release.publicId,
      version: release.version,
      predicted: false,
      trainDate: slot,
      targetKickoffAt,
      targetSubmitAt,
      targetReleaseAt,
      pilot: shownPilot(pilot, false),
      frozenBy: frozenDates(freezes, {
        kickoffAt: targetKickoffAt,
        submitAt: targetSubmitAt,
        releaseAt: targetReleaseAt,
      }),
      status: release.status,
    }
    return { key: slot === null ? release.id : keyOf(appId, slot), changedAt, entry }
  })
}

const keyOf = (appId: string, slot: LocalDate) => `${appId}-${slot}`

async function predictedEntries(
  scope: Scope,
  appId: string,
  plan: AppPlan,
  { from, to }: Window
): Promise<Scheduled[]> {
  if (!isRunning(plan)) return []
  const facts = await scheduleFacts(scope, await findApp(scope, appId), plan)
  const latest = later(scope.now, MAX_SCHEDULE_YEARS * 365 * DAY)
  const trains = [...predictedTrains(facts, to < latest ? to : latest)].filter((train) =>
    datesOf(train).some((at) => from <= at && at <= to)
  )
  const pilots = await peopleOf(
    scope,
    trains.flatMap(({ pilotId }) => pilotId ?? [])
  )
  return trains.map(({ date, version, pilotId, dates, frozenBy }) => ({
    key: keyOf(appId, date),
    changedAt: plan.updatedAt,
    entry: {
      releaseId: null,
      version: normalVersion(version),
      predicted: true,
      trainDate: date,
      targetKickoffAt: dates.kickoffAt,
      targetSubmitAt: dates.submitAt,
      targetReleaseAt: dates.releaseAt,
      pilot: shownPilot((pilotId && pilots.get(pilotId)) || null, true),
      frozenBy,
      status: 'upcoming',
    },
  }))
}

const datesOf = ({ dates }: PredictedTrain) =>
  Object.values(dates).filter((at): at is Instant => at !== null)

function shownPilot(pilot: PersonSummary | null, predicted: boolean) {
  return pilot && { id: pilot.id, email: pilot.email, name: pilot.name, predicted }
}
