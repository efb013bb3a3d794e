import { onObservation } from '#foundation/jobs/handlers'
import { of, select } from '#foundation/core/database/statement'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { releases } from '#releases/tables'
import { storesOfRelease } from '#stores/queries/store_state'
import { askAdoption, type Adoption } from '../adoption.js'
import { measureKind, checkKind } from '../work_kinds.js'
import { isStillDue, lateUntil } from '../guard/coverage.js'
import { askedMetrics, measure, type Known, type MeasuredMetric } from '../measure.js'
import { meaningOf, type GuardMetric } from '../policy/policy.js'
import { quietSince, reportedOf } from '../queries/health.js'
import { policyOf } from '../queries/policies.js'
import { windowsOf, type Windows } from '../queries/windows.js'
import { rollouts, type Measured, type RolloutRow } from '../tables.js'
import { rolloutsOf, subjectOf } from '../watch_rollouts.js'

const RELEASE = select(
  of(releases, 'r', ['id', 'appId', 'version']),
  'from releases r where r.organization_id = :org and r.id = :releaseId'
)

/** The longest time between two measurements, in milliseconds. */
const MEASURED_EVERY = 60 * MINUTE

interface Look {
  /** Start of the measured stage. */
  stageAt: string
  /** The version that it is compared with. */
  before: string | null
  reported: ReportedOfStage[]
  /** Null if it was not asked for, or no source reports it. */
  adoption: Adoption | null
}

interface ReportedOfStage extends MeasuredMetric {
  stageAt: string
}

/** Asks the providers of an app how a version does during its rollout. */
export const measureRollout = onObservation(measureKind, {
  actor: 'rollout policy',
  lease: 2 * MINUTE,
  every: { least: 30 * MINUTE, most: MEASURED_EVERY },
  retry: { steps: [MINUTE, 5 * MINUTE, 15 * MINUTE] },
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async poll({ payload }, { scope, signal }): Promise<Look | null> {
    const watched = await watchedNow(scope, payload)
    if (!watched) return null
    const { row, version } = watched
    const present = await windowsOf(scope, row, version)
    const reported: ReportedOfStage[] = []
    for (const [index, { at: stageAt }] of row.stages.entries()) {
      const metrics = metricsToAsk(watched, index, present)
      if (metrics.length === 0) continue
      const to = row.stages.at(index + 1)?.at ?? present.current.to
      const windows = { ...present, current: { ...present.current, from: stageAt, to } }
      const known = new Map(metrics.map((each) => [meaningOf(each), knownOf(row, each, windows)]))
      const counted = await measure(scope, payload.appId, metrics, windows, { known, signal })
      reported.push(...counted.map((each) => ({ ...each, stageAt })))
    }
    const place = { appId: payload.appId, version }
    const adoption = await askAdoption(scope, place, { last: row.adoption, signal })
    const before = present.before?.version ?? null
    return { stageAt: present.current.from, before, reported, adoption }
  },
  async store(scope, { payload }, observation) {
    const watched = await watchedNow(scope, payload)
    if (!observation || !watched) {
      const { releaseId: id, integrationId } = payload
      const rows = await rolloutsOf(scope, id)
      const ended = rows.find((each) => each.integrationId === integrationId)
      if (ended) await scope.update(rollouts, { id: ended.id }, { askedSince: null })
      return 'over'
    }
    const { row } = watched
    const { adoption } = observation
    // The rollout reached another stage meanwhile, so the counts are not of that one.
    if (row.stages.at(-1)!.at !== observation.stageAt) return 'changed'
    const reported = observation.reported.map((each) => withQuiet(scope, row, observation, each))
    const isReported = (sample: Measured) => reported.some((each) => isSame(sample, each))
    const samples = [...row.samples.filter((each) => !isReported(each)), ...reported].toSorted(
      (one, other) => one.stageAt.localeCompare(other.stageAt)
    )
    await scope.update(
      rollouts,
      { id: row.id },
      { samples, lookAt: scope.now, ...(adoption && { adoption }) }
    )
    await scope.jobs.plan(checkKind, { subject: subjectOf(row), payload })
    return 'unchanged'
  },
})

/** Returns a rollout whose guard asks providers, with the metrics to ask for; null for others. */
async function watchedNow(
  scope: Scope,
  { releaseId, integrationId }: { releaseId: string; integrationId: string }
) {
  const rows = await rolloutsOf(scope, releaseId)
  const row = rows.find((each) => each.integrationId === integrationId)
  const [release] = await scope.rows(RELEASE, { releaseId })
  if (!row || row.endedAt !== null || !release) return null
  const stores = await storesOfRelease(scope, release)
  const store = stores.find(({ target }) => target.integrationId === integrationId)
  const policy = store ? await policyOf(scope, release.appId, store.destinationId) : null
  const metrics = askedMetrics(policy)
  return metrics.length === 0 ? null : { row, version: release.version, metrics }
}

type Watched = NonNullable<Awaited<ReturnType<typeof watchedNow>>>
type AskedMetric = Watched['metrics'][number]

/** Returns all metrics at the last stage; at an earlier one, those whose data was late there. */
function metricsToAsk({ row, metrics }: Watched, index: number, windows: Windows): AskedMetric[] {
  const end = row.stages.at(index + 1)?.at
  if (end === undefined) return metrics
  const { at } = row.stages[index]
  return metrics.filter((metric) =>
    reportedOf(row.samples, metric, windows).some(
      (each) => each.stageAt === at && isStillDue(each, end)
    )
  )
}

/** Returns earlier counts: past days of a stage, and any days of the previous version. */
function knownOf({ samples }: RolloutRow, metric: GuardMetric, windows: Windows): Known {
  const reported = reportedOf(samples, metric, windows)
  const { whole } = reported.find(({ stageAt }) => stageAt === windows.current.from) ?? {}
  // Data that did not reach the stage has no days of the previous version either.
  const { days } =
    reported.findLast(({ reaches, stageAt }) => reaches === undefined || reaches > stageAt) ?? {}
  return { days, whole }
}

/** Returns whether both are of the same metric and stage, compared with the same version. */
const isSame = (one: Measured, other: Measured) =>
  one.meaning === other.meaning && one.before === other.before && one.stageAt === other.stageAt

/** Returns the counts with the time since the last increase at their stage. */
function withQuiet(
  { now }: Scope,
  { samples, stages }: RolloutRow,
  { before }: Look,
  reported: ReportedOfStage
): Measured {
  const { reaches = now } = reported
  const share = stages.find(({ at }) => at === reported.stageAt)!.percentage / 100
  const found = { ...reported, before, share, at: now }
  const last = samples.find((each) => isSame(each, found))
  // Late data covers whole spans, however seldom it arrives.
  const most = lateUntil({ at: now, reaches }) === null ? MEASURED_EVERY : Infinity
  return { ...found, quiet: reported.quiet ?? quietSince(last, reported.current, reaches, most) }
}
