import { onObservation } from '#foundation/agenda/handlers'
import { of, select } from '#foundation/core/database/statement'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { releases } from '#releases/tables'
import { storesOfRelease } from '#stores/queries/store_state'
import { measureKind, lookKind } from '../kinds.js'
import { askedMetrics, measure, type MeasuredMetric } from '../measure.js'
import { policyOf } from '../queries/policies.js'
import { windowsOf } from '../queries/windows.js'
import { rollouts, type Measured, type RolloutRow } from '../tables.js'
import { rolloutsOf, subjectOf } from '../watch_rollouts.js'

const RELEASE = select(
  of(releases, 'r', ['id', 'appId', 'version', 'status']),
  'from releases r where r.organization_id = :org and r.id = :releaseId'
)

interface Look {
  /** When the stage began that was measured. */
  stageAt: string
  told: MeasuredMetric[]
}

/** Asks the providers of an app how a version does that is rolled out. */
export const measureRollout = onObservation(measureKind, {
  actor: 'rollout policy',
  lease: 2 * MINUTE,
  every: { least: 30 * MINUTE, most: 60 * MINUTE },
  retry: { steps: [MINUTE, 5 * MINUTE, 15 * MINUTE] },
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async look({ payload }, { scope, signal }): Promise<Look | null> {
    const watched = await watchedNow(scope, payload)
    if (!watched) return null
    const windows = await windowsOf(scope, watched.row, watched.version)
    const told = await measure(scope, payload.appId, watched.metrics, windows, signal)
    return { stageAt: windows.current.from, told }
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
    // It went on to another stage meanwhile: what was counted is not of that one.
    if (row.stages.at(-1)!.at !== look.stageAt) return 'changed'
    const samples = look.told.map((told) => heard(scope, row, look.stageAt, told))
    await scope.update(rollouts, { id: row.id }, { samples, lookAt: scope.now })
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
  if (!row || row.endedAt !== null || release?.status !== 'active') return null
  const stores = await storesOfRelease(scope, release)
  const store = stores.find(({ target }) => target.integrationId === integrationId)
  const policy = store ? await policyOf(scope, release.appId, store.destinationId) : null
  const metrics = askedMetrics(policy)
  return metrics.length === 0 ? null : { row, version: release.version, metrics }
}

/** Something is heard of a version where more of it is counted than before. */
function heard(
  scope: Scope,
  { samples }: RolloutRow,
  stageAt: string,
  told: MeasuredMetric
): Measured {
  const before = samples.find(({ metric }) => metric === told.metric)
  const counted = before?.stageAt === stageAt ? before.current.of : 0
  const isHeard = told.current.of > counted
  return {
    ...told,
    stageAt,
    at: scope.now,
    heardAt: isHeard ? scope.now : (before?.heardAt ?? null),
  }
}
