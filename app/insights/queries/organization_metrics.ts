import { chunked } from '#foundation/core/chunked'
import { later, type Instant } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { computeMetrics, type MeasuredRelease, type Period } from '../compute.js'
import type { OrgMetricsEntity } from '../entities.js'
import { METRIC_KEYS, METRICS } from '../vocabulary.js'

const DEFAULT_DAYS = 90

interface Row {
  id: string
  app_id: string
  release_type: MeasuredRelease['releaseType']
  status: string
  kicked_off_at: Instant | null
  submitted_at: Instant | null
  approved_at: Instant | null
  released_at: Instant | null
  completed_at: Instant | null
  target_submit_at: Instant | null
  target_release_at: Instant | null
}

/**
 * The period asked for, and the equally long one before it.
 * @throws invalid_query when it ends before it begins, or they leave the years 0000 to 9999.
 */
function periodsOf(scope: Scope, from: Instant | undefined, to: Instant | undefined) {
  const end = to ?? scope.now
  const period: Period = { from: from ?? later(end, -DEFAULT_DAYS * DAY), to: end }
  const length = Date.parse(period.to) - Date.parse(period.from)
  if (length <= 0) throw refusePeriod('from must be before to.')
  const previous: Period = { from: later(period.from, -length), to: period.from }
  // Years beyond are written with a sign, and would not sort.
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

/** When the regression steps of releases first moved and were last complete. */
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

/** The releases that something was recorded of between two instants. */
async function measuredReleases(
  scope: Scope,
  appIds: readonly string[],
  { from, to }: Period
): Promise<MeasuredRelease[]> {
  if (appIds.length === 0) return []
  const rows: Row[] = await scope
    .table('releases')
    .whereIn('app_id', [...appIds])
    .where((query) => {
      for (const column of ['completed_at', 'released_at', 'submitted_at', 'approved_at']) {
        query.orWhere((one) => one.where(column, '>=', from).where(column, '<', to))
      }
    })
    .select(
      'id',
      'app_id',
      'release_type',
      'status',
      'kicked_off_at',
      'submitted_at',
      'approved_at',
      'released_at',
      'completed_at',
      'target_submit_at',
      'target_release_at'
    )
  const spans = await regressionSpans(
    scope,
    rows.map((row) => row.id)
  )
  return rows.map((row) => ({
    appId: row.app_id,
    releaseType: row.release_type,
    isCompleted: row.status === 'completed',
    kickedOffAt: row.kicked_off_at,
    submittedAt: row.submitted_at,
    approvedAt: row.approved_at,
    releasedAt: row.released_at,
    targetSubmitAt: row.target_submit_at,
    targetReleaseAt: row.target_release_at,
    regressionBeganAt: spans.get(row.id)?.began ?? null,
    regressionEndedAt: spans.get(row.id)?.ended ?? null,
  }))
}

/** Metrics of a period with those of the equally long one before it. */
export async function organizationMetrics(
  scope: Scope,
  filter: { from?: Instant; to?: Instant; appIds?: readonly string[] }
): Promise<OrgMetricsEntity> {
  const { period, previous } = periodsOf(scope, filter.from, filter.to)

  const apps: { id: string }[] = await scope.table('apps').orderBy('id').select('id')
  const seen = apps.map((app) => app.id).filter((id) => scope.sees(id))
  const unknown = filter.appIds?.find((id) => !seen.includes(id))
  if (unknown !== undefined) throw refuse('not_found')
  const appIds = seen.filter((id) => !filter.appIds || filter.appIds.includes(id))

  const releases = await measuredReleases(scope, appIds, { from: previous.from, to: period.to })
  const now = computeMetrics(releases, period)
  const before = computeMetrics(releases, previous)
  const perApp = appIds.map((appId) => ({
    appId,
    metrics: computeMetrics(
      releases.filter((release) => release.appId === appId),
      period
    ),
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
