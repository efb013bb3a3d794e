import type { Instant } from '#foundation/core/clock'
import type { RowOf } from '#foundation/core/database/table'
import type { releases } from '#releases/tables'
import { sumOf, type Sample } from '#rollouts/guard/bounds'
import type { Ratings } from '#stores/queries/ratings'
import { WORKFLOW_TYPE_OF, type ReleaseType } from '#workflow/vocabulary'
import { DAY, HOUR } from '#foundation/core/durations'
import type { MetricKey } from './vocabulary.js'

/** The columns of a release that the metrics use. */
export const MEASURED = [
  'appId',
  'releaseType',
  'status',
  'kickedOffAt',
  'submittedAt',
  'approvedAt',
  // When it reached users. A completed release without this was not released, and is not counted.
  'releasedAt',
  'targetSubmitAt',
  'targetReleaseAt',
] as const

/** The recorded data of a release that the metrics use. */
export interface MeasuredRelease extends Pick<RowOf<typeof releases>, (typeof MEASURED)[number]> {
  regressionBeganAt: Instant | null
  regressionEndedAt: Instant | null
  /** The number of fix requests that were merged into it. */
  mergedFixes: number
  /** The sessions that its guard counted last, and those with a crash; null without a rollout. */
  sessions: Sample | null
}

/** A period from the first instant up to, but not including, the second. */
export interface Period {
  from: Instant
  to: Instant
}

const within = (instant: Instant | null, { from, to }: Period): boolean =>
  instant !== null && instant >= from && instant < to

const span = (from: Instant | null, to: Instant | null): number | null =>
  from === null || to === null || to < from ? null : Date.parse(to) - Date.parse(from)

function mean(values: readonly (number | null)[], unit: number): number | null {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return null
  return rounded(total(known) / known.length / unit)
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

const rounded = (value: number) => Math.round(value * 100) / 100

/** Returns the percentage of releases that met their target, of those that had one. */
function onTime(pairs: readonly (readonly [Instant | null, Instant | null])[]): number | null {
  const counted = pairs.filter(([done, target]) => done !== null && target !== null)
  if (counted.length === 0) return null
  const kept = counted.filter(([done, target]) => done! <= target!)
  return rounded((100 * kept.length) / counted.length)
}

/** Returns the percentage of counted sessions without a crash. */
function crashFree(releases: readonly MeasuredRelease[]): number | null {
  const { of, bad } = sumOf(releases.flatMap(({ sessions }) => sessions ?? []))
  return of === 0 ? null : rounded(100 - (100 * bad) / of)
}

/** Returns the mean of ratings, from 1 to 5. */
function averageOf(ratings: readonly Ratings[]): number | null {
  const count = total(ratings.map((each) => each.count))
  return count === 0 ? null : rounded(total(ratings.map(({ sum }) => sum)) / count)
}

/** Returns the mean number of days between successive train releases of one app. */
function cadence(released: readonly MeasuredRelease[]): number | null {
  const byApp = new Map<string, number[]>()
  for (const { appId, releasedAt, releaseType } of released) {
    if (WORKFLOW_TYPE_OF[releaseType] !== 'standard') continue
    byApp.set(appId, [...(byApp.get(appId) ?? []), Date.parse(releasedAt!)])
  }
  const gaps = [...byApp.values()].flatMap((times) => {
    const sorted = times.sort((a, b) => a - b)
    return sorted.slice(1).map((time, index) => time - sorted[index])
  })
  return mean(gaps, DAY)
}

/**
 * Computes the metrics of releases, and of the reviews of a period, over that period. A count without any release in the period is
 * null, and so is a mean without a value: missing data is never 0.
 */
export function computeMetrics(
  releases: readonly MeasuredRelease[],
  ratings: readonly Ratings[],
  period: Period
): Record<MetricKey, number | null> {
  const completed = releases.filter(
    (release) => release.status === 'completed' && within(release.releasedAt, period)
  )
  const submitted = releases.filter((release) => within(release.submittedAt, period))
  const approved = releases.filter((release) => within(release.approvedAt, period))
  const ofType = (type: ReleaseType) =>
    completed.length === 0
      ? null
      : completed.filter((release) => release.releaseType === type).length

  return {
    releasesCompleted: completed.length || null,
    hotfixesCompleted: ofType('hotfix'),
    rollbacks: ofType('rollback'),
    leadTimeKickoffToRelease: mean(
      completed.map((release) => span(release.kickedOffAt, release.releasedAt)),
      DAY
    ),
    timeInReview: mean(
      approved.map((release) => span(release.submittedAt, release.approvedAt)),
      HOUR
    ),
    timeInRegression: mean(
      completed.map((release) => span(release.regressionBeganAt, release.regressionEndedAt)),
      HOUR
    ),
    onTimeSubmissions: onTime(
      submitted.map((release) => [release.submittedAt, release.targetSubmitAt])
    ),
    onTimeReleases: onTime(
      completed.map((release) => [release.releasedAt, release.targetReleaseAt])
    ),
    fixesPerRelease: mean(
      completed.map((release) => release.mergedFixes),
      1
    ),
    releaseCadence: cadence(completed),
    crashFreeSessions: crashFree(completed),
    averageRating: averageOf(ratings),
  }
}
