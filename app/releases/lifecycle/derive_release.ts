import { storeKindOfApp } from '#apps/queries/app_summary'
import { alike } from '#foundation/core/alike'
import { hasChanged } from '#foundation/core/database/model_from'
import type { Scope } from '#foundation/core/scope'
import { differences, type Edge } from '../engine/differences.js'
import { assessSteps, evaluate, type Evaluation } from '../engine/evaluate.js'
import type { ReleaseFacts, RolloutFacts } from '../engine/facts.js'
import { replacement } from '../engine/store_step_rules.js'
import { holdsTrain } from '../engine/transitions.js'
import type Release from '../models/release.js'
import { releaseExtensions } from '../extensions.js'
import { loadFacts, type ReleaseState } from '../queries/load_facts.js'
import { stepEntities } from '../queries/step_entities.js'
import type { StepRow } from '../queries/step_rows.js'
import { recordReleased } from '../timeline/record_released.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'
import { releaseSteps, stepRuns } from '../tables.js'
import { moveTrain } from './move_train.js'
import { planNextEvaluation } from './next_evaluation.js'
import { recordHold } from './record_hold.js'
import { recordRunFacts } from './record_run_facts.js'

/**
 * Derives a touched release from its facts, after extensions have corrected their data. Stores the
 * differences to the last evaluation, and records their events. Without differences, it writes
 * nothing. An imported release is not derived, because it has no steps.
 */
export async function deriveRelease(scope: Scope, release: Release): Promise<void> {
  if (release.$isDeleted) return
  if (release.imported) {
    for (const { lifecycle } of releaseExtensions.all)
      await lifecycle?.readImported?.(scope, release)
    return
  }
  const { facts, steps, given } = await correctedFacts(scope, release)
  for (const step of steps) {
    const known = given.get(step.type)
    if (known) await recordRunFacts(scope, step, known)
  }
  const assessments = assessSteps(facts)
  const evaluation = evaluate(facts, scope.now, assessments)
  const edges = differences(
    {
      steps: steps.map((step) => ({ stepId: step.id, status: step.status })),
      regressionStatus: release.regressionStatus,
      phase: release.phase,
      readyToSubmit: release.readyToSubmit,
      readyToRelease: release.readyToRelease,
    },
    evaluation
  )
  const byId = new Map(steps.map((step) => [step.id, step]))
  await storeSteps(scope, edges, byId)
  if (applyEvaluation(release, evaluation).has('nextEvaluationAt'))
    await planNextEvaluation(scope, release)
  if (edges.length > 0) release.updatedAt = scope.now
  const finishes = evaluation.finished && release.status === 'active'
  // A store may report that a version is live without the time since when.
  const goesLive = finishes && release.releasedAt === null
  if (finishes) release.merge({ status: 'completed', completedAt: scope.now })
  if (goesLive) release.releasedAt = scope.now
  await recordHold(scope, release, facts, assessments)
  if (hasChanged(release)) await release.useTransaction(scope.transaction).save()
  await recordEdges(scope, release, edges, byId)
  if (goesLive) await recordReleased(scope, release)
  if (finishes) {
    recordReleaseEvent(scope, release, {
      type: 'release.updated',
      title: completionOf(release, facts),
      data: { status: { from: 'active', to: 'completed' } },
      payload: null,
    })
  }
  if (!holdsTrain(release)) await moveTrain(scope, release.appId)
  for (const { lifecycle } of releaseExtensions.all) {
    await lifecycle?.planAhead?.(scope, release, facts)
  }
}

function completionOf({ version }: Release, { steps }: ReleaseFacts): string {
  const [ended] = steps.flatMap((step) =>
    step.type === 'rollout' ? (replacement(step.facts) ?? []) : []
  )
  return ended ? `${version} is completed: it was ${ended}` : `${version} is completed`
}

/** The evaluated members that a release stores. */
const EVALUATED = [
  'regressionStatus',
  'phase',
  'readyToSubmit',
  'readyToRelease',
  'nextEvaluationAt',
] as const

/** Assigns the evaluated members to the release. @returns the names of those that changed */
function applyEvaluation(
  release: Release,
  evaluation: Evaluation
): Set<(typeof EVALUATED)[number]> {
  const changed = EVALUATED.filter((name) => release[name] !== evaluation[name])
  for (const name of changed) release.merge({ [name]: evaluation[name] })
  return new Set(changed)
}

/** Loads the facts of a release after extensions have corrected their data. */
async function correctedFacts(scope: Scope, release: Release): Promise<ReleaseState> {
  let state = await loadFacts(scope, release)
  for (const { facts } of releaseExtensions.all) {
    const isCorrected = await facts?.correct?.(scope, release, state)
    if (isCorrected) state = await loadFacts(scope, release)
  }
  return state
}

/** Stores changed statuses of steps. Steps with the same new status share one statement. */
async function storeSteps(scope: Scope, edges: readonly Edge[], steps: Map<string, StepRow>) {
  const changes = edges.flatMap((edge) =>
    edge.kind === 'stepStatusChanged' ? [[edge.stepId, { status: edge.to }] as const] : []
  )
  for (const { ids, values } of alike(changes)) {
    await scope.update(releaseSteps, { id: ids }, { ...values, statusChangedAt: scope.now })
    const runIds = ids.map((id) => steps.get(id)!.runId)
    const completedAt = values.status === 'complete' ? scope.now : null
    await scope.update(stepRuns, { id: runIds }, { ...values, completedAt })
  }
}

/** Returns the title of a status change. It says if a rollout was replaced before its end. */
function titleOf(step: StepRow, { from, to }: Extract<Edge, { kind: 'stepStatusChanged' }>) {
  const title = `${step.name}: ${from} → ${to}`
  const ended = step.type === 'rollout' ? replacement(step.facts as RolloutFacts) : null
  return ended === null ? title : `${title}, ${ended}`
}

/** Records the events of the differences, in causal order. */
async function recordEdges(
  scope: Scope,
  release: Release,
  edges: readonly Edge[],
  steps: Map<string, StepRow>
) {
  if (edges.length === 0) return
  const store = await storeKindOfApp(scope, release.appId)
  // Read only once for all changed steps, when the transaction ends.
  let entities: ReturnType<typeof stepEntities> | undefined
  for (const edge of edges) {
    switch (edge.kind) {
      case 'stepStatusChanged': {
        const step = steps.get(edge.stepId)!
        recordReleaseEvent(scope, release, {
          type: 'releaseStep.statusChanged',
          title: titleOf(step, edge),
          stepConfigId: step.stepConfigId,
          data: { stepId: step.id, stepRunId: step.runId, from: edge.from, to: edge.to },
          resource: ({ appId, publicId }) => `/app/${appId}/release/${publicId}/step/${step.id}`,
          payload: async () => {
            const all = await (entities ??= stepEntities(scope, release))
            return {
              releaseSteps: all.filter((entity) => entity.id === edge.stepId),
              previousStatus: edge.from,
            }
          },
        })
        break
      }
      case 'regressionStatusChanged':
        recordReleaseEvent(scope, release, {
          type: 'release.regressionStatusUpdated',
          title: `Regression testing: ${edge.from} → ${edge.to}`,
          data: { from: edge.from, to: edge.to },
          payload: { previous: { regressionStatus: edge.from } },
        })
        break
      case 'readyToSubmit':
        if (store === 'ota') break
        recordReleaseEvent(scope, release, {
          type: 'release.stepsReadyToSubmit',
          title: 'Every required step is complete: ready to submit',
          payload: {},
        })
        break
      case 'readyToRelease':
        if (store !== 'apple') break
        recordReleaseEvent(scope, release, {
          type: 'release.stepsReadyToRelease',
          title: 'Every required step is complete: ready to release',
          payload: {},
        })
        break
      case 'noLongerReadyToSubmit':
      case 'noLongerReadyToRelease':
      case 'phaseChanged':
        break
    }
  }
}
