import type { Instant } from '#foundation/core/clock'
import type { RowOf } from '#foundation/core/database/table'
import type { releases } from '#releases/tables'
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
  return rounded(known.reduce((sum, value) => sum + value, 0) / known.length / unit)
}

const rounded = (value: number) => Math.round(value * 100) / 100

/** Returns the percentage of releases that met their target, of those that had one. */
function onTime(pairs: readonly (readonly [Instant | null, Instant | null])[]): number | null {
  const counted = pairs.filter(([done, target]) => done !== null && target !== null)
  if (counted.length === 0) return null
  const kept = counted.filter(([done, target]) => done! <= target!)
  return rounded((100 * kept.length) / counted.length)
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
 * Computes the metrics of releases over a period. A count without any release in the period is
 * null, and so is a mean without a value: missing data is never 0.
 */
export function computeMetrics(
  releases: readonly MeasuredRelease[],
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
    // Requires fix requests, crash monitoring and store reviews, which do not exist yet.
    fixesPerRelease: null,
    releaseCadence: cadence(completed),
    crashFreeSessions: null,
    averageRating: null,
  }
}
