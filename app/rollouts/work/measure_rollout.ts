import { onObservation } from '#foundation/agenda/handlers'
import { of, select } from '#foundation/core/database/statement'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { releases } from '#releases/tables'
import { storesOfRelease } from '#stores/queries/store_state'
import { askAdoption, type Adoption } from '../adoption.js'
import { measureKind, lookKind } from '../kinds.js'
import { askedMetrics, measure, type Known, type MeasuredMetric } from '../measure.js'
import { meaningOf, type GuardMetric } from '../policy/policy.js'
import { quietSince, toldOf } from '../queries/health.js'
import { policyOf } from '../queries/policies.js'
import { windowsOf, type Windows } from '../queries/windows.js'
import { rollouts, type Measured, type RolloutRow } from '../tables.js'
import { rolloutsOf, subjectOf } from '../watch_rollouts.js'

const RELEASE = select(
  of(releases, 'r', ['id', 'appId', 'version']),
  'from releases r where r.organization_id = :org and r.id = :releaseId'
)

/** Milliseconds between two measurements at most; whoever is away for longer has missed some. */
const MEASURED_EVERY = 60 * MINUTE

interface Look {
  /** Start of the measured stage. */
  stageAt: string
  /** The version that it is compared with. */
  before: string | null
  told: MeasuredMetric[]
  /** Null where it was not asked for, or nobody tells. */
  adoption: Adoption | null
}

/** Asks the providers of an app how a version does that is rolled out. */
export const measureRollout = onObservation(measureKind, {
  actor: 'rollout policy',
  lease: 2 * MINUTE,
  every: { least: 30 * MINUTE, most: MEASURED_EVERY },
  retry: { steps: [MINUTE, 5 * MINUTE, 15 * MINUTE] },
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async look({ payload }, { scope, signal }): Promise<Look | null> {
    const watched = await watchedNow(scope, payload)
    if (!watched) return null
    const windows = await windowsOf(scope, watched.row, watched.version)
    const { metrics, row } = watched
    const known = new Map(metrics.map((each) => [meaningOf(each), knownOf(row, each, windows)]))
    const told = await measure(scope, payload.appId, metrics, windows, { known, signal })
    const which = { appId: payload.appId, version: watched.version }
    const adoption = await askAdoption(scope, which, { last: row.adoption, signal })
    const before = windows.before?.version ?? null
    return { stageAt: windows.current.from, before, told, adoption }
  },
  async take(scope, { payload }, look) {
    const watched = await watchedNow(scope, payload)
    if (!look || !watched) {
      const { releaseId: id, integrationId } = payload
      const rows = await rolloutsOf(scope, id)
      const left = rows.find((each) => each.integrationId === integrationId)
      if (left) await scope.update(rollouts, { id: left.id }, { askedSince: null })
      return 'over'
    }
    const { row } = watched
    const { adoption } = look
    // It went on to another stage meanwhile: what was counted is not of that one.
    if (row.stages.at(-1)!.at !== look.stageAt) return 'changed'
    const told = look.told.map((each) => heard(scope, row, look, each))
    const isTold = (is: Measured) => told.some((each) => isSame(is, each))
    const samples = [...row.samples.filter((each) => !isTold(each)), ...told]
    await scope.update(
      rollouts,
      { id: row.id },
      { samples, lookAt: scope.now, ...(adoption && { adoption }) }
    )
    await scope.agenda.plan(lookKind, { subject: subjectOf(row), payload })
    return 'unchanged'
  },
})

/** A rollout that a guard of providers watches, with what they are asked for; null for none. */
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

/** Returns earlier counts: past days of this stage, and any days of the previous version. */
function knownOf({ samples, stages }: RolloutRow, metric: GuardMetric, windows: Windows): Known {
  const told = toldOf(samples, metric, windows)
  const { whole } = told.find(({ stageAt }) => stageAt === stages.at(-1)!.at) ?? {}
  return { days: told.at(-1)?.days, whole }
}

/** Returns whether both are of the same metric and stage, compared with the same version. */
const isSame = (one: Measured, other: Measured) =>
  one.meaning === other.meaning && one.before === other.before && one.stageAt === other.stageAt

/** Returns the counts with the time since the last increase at its stage. */
function heard(
  { now }: Scope,
  { samples, stages }: RolloutRow,
  { stageAt, before }: Look,
  told: MeasuredMetric
): Measured {
  const share = stages.at(-1)!.percentage / 100
  const found = { ...told, stageAt, before, share, at: now }
  const last = samples.find((each) => isSame(each, found))
  return { ...found, quiet: told.quiet ?? quietSince(last, told.current, now, MEASURED_EVERY) }
}
