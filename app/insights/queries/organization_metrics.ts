import { chunked } from '#foundation/core/chunked'
import { earlier, type Instant } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { of, select } from '#foundation/core/database/statement'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { mergedFixes } from '#fixes/queries/merged_fixes'
import { releases } from '#releases/tables'
import { countedSessions } from '#rollouts/queries/crash_free_sessions'
import { ratingsOf } from '#stores/queries/ratings'
import { computeMetrics, MEASURED, type MeasuredRelease, type Period } from '../compute.js'
import type { OrgMetricsEntity } from '../entities.js'
import { METRIC_KEYS, METRICS } from '../vocabulary.js'

const DEFAULT_DAYS = 90

const RELEASES = select(
  of(releases, 'r', ['id', ...MEASURED]),
  `from releases r where r.organization_id = :org and r.app_id in json(:appIds)
    and (r.completed_at >= :from and r.completed_at < :to
      or r.released_at >= :from and r.released_at < :to
      or r.submitted_at >= :from and r.submitted_at < :to
      or r.approved_at >= :from and r.approved_at < :to)`
)

/**
 * Returns the requested period, and the equally long one before it.
 * @throws invalid_query when it ends before it begins, or when either leaves the years 0000 to 9999
 */
function periodsOf(scope: Scope, from: Instant | undefined, to: Instant | undefined) {
  const end = to ?? scope.now
  const period: Period = { from: from ?? earlier(end, DEFAULT_DAYS * DAY), to: end }
  const length = Date.parse(period.to) - Date.parse(period.from)
  if (length <= 0) throw refusePeriod('from must be before to.')
  const previous: Period = { from: earlier(period.from, length), to: period.from }
  // Other years are written with a sign and would not sort correctly.
  if ([period.from, previous.from].some((instant) => !/^\d{4}-/.test(instant))) {
    throw refusePeriod('The period and the one before it must lie in the years 0000 to 9999.')
  }
  return { period, previous }
}

function refusePeriod(message: string) {
  return refuse('invalid_query', {
    detail: message,
    errors: [{ parameter: 'from', code: 'period', message }],
  })
}

/** Returns when the regression steps of releases first changed and were last complete. */
async function regressionSpans(scope: Scope, releaseIds: readonly string[]) {
  const spans = new Map<string, { began: Instant | null; ended: Instant | null }>()
  for (const ids of chunked(releaseIds)) {
    const rows: { release_id: string; occurred_at: Instant; data: string }[] = await scope
      .table('events')
      .join('release_steps', (join) => {
        join
          .on('release_steps.release_id', 'events.release_id')
          .andOn('release_steps.step_config_id', 'events.step_config_id')
      })
      .whereIn('events.release_id', ids)
      .where({
        'events.type': 'releaseStep.statusChanged',
        'release_steps.type': 'regressionTesting',
      })
      .orderBy('events.release_id')
      .orderBy('events.position')
      .select('events.release_id', 'events.occurred_at', 'events.data')
    for (const row of rows) {
      const span = spans.get(row.release_id) ?? { began: null, ended: null }
      span.began ??= row.occurred_at
      if (JSON.parse(row.data).to === 'complete') span.ended = row.occurred_at
      spans.set(row.release_id, span)
    }
  }
  return spans
}

/** Returns the releases with anything recorded between two instants. */
async function measuredReleases(
  scope: Scope,
  appIds: readonly string[],
  { from, to }: Period
): Promise<MeasuredRelease[]> {
  if (appIds.length === 0) return []
  const rows = await scope.rows(RELEASES, { appIds: JSON.stringify(appIds), from, to })
  const ids = rows.map((row) => row.id)
  const spans = await regressionSpans(scope, ids)
  const fixes = await mergedFixes(scope, ids)
  const sessions = await countedSessions(scope, ids)
  return rows.map(({ id, ...row }) => ({
    ...row,
    mergedFixes: fixes.get(id) ?? 0,
    sessions: sessions.get(id) ?? null,
    regressionBeganAt: spans.get(id)?.began ?? null,
    regressionEndedAt: spans.get(id)?.ended ?? null,
  }))
}

/** Returns the metrics of a period, with those of the equally long one before it. */
export async function organizationMetrics(
  scope: Scope,
  filter: { from?: Instant; to?: Instant; appIds?: readonly string[] }
): Promise<OrgMetricsEntity> {
  const { period, previous } = periodsOf(scope, filter.from, filter.to)

  const apps: { id: string }[] = await scope.table('apps').orderBy('id').select('id')
  const seen = new Set(apps.map((app) => app.id).filter((id) => scope.sees(id)))
  const requested = new Set(filter.appIds ?? seen)
  if (!requested.isSubsetOf(seen)) throw refuse('not_found')
  const appIds = [...seen].filter((id) => requested.has(id))

  const measured = await measuredReleases(scope, appIds, { from: previous.from, to: period.to })
  const ratings = await ratingsOf(scope, appIds, period)
  const now = computeMetrics(measured, ratings, period)
  const before = computeMetrics(measured, await ratingsOf(scope, appIds, previous), previous)
  const byApp = Map.groupBy(measured, ({ appId }) => appId)
  const ratingsByApp = Map.groupBy(ratings, ({ appId }) => appId)
  const perApp = appIds.map((appId) => ({
    appId,
    metrics: computeMetrics(byApp.get(appId) ?? [], ratingsByApp.get(appId) ?? [], period),
  }))
  return {
    ...period,
    metrics: METRIC_KEYS.map((key) => ({
      key,
      ...METRICS[key],
      value: now[key],
      previousValue: before[key],
      apps: perApp.map(({ appId, metrics }) => ({ appId, value: metrics[key] })),
    })),
  }
}
