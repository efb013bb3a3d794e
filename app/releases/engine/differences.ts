import type {
  ReleaseRegressionTestingStatus,
  ReleaseStepStatus,
  ReleaseTimelinePhase,
} from '#releases/vocabulary'
import type { Evaluation } from './evaluate.js'

/** The last evaluation, as it was stored. A step that it lacks counts as `notStarted`. */
export type Stored = Pick<
  Evaluation,
  'steps' | 'regressionStatus' | 'phase' | 'readyToSubmit' | 'readyToRelease'
>

/** A change from a stored value to a new one. The caller decides whether it causes an event. */
export type Edge =
  | {
      kind: 'stepStatusChanged'
      stepId: string
      from: ReleaseStepStatus
      to: ReleaseStepStatus
    }
  | {
      kind: 'regressionStatusChanged'
      from: ReleaseRegressionTestingStatus
      to: ReleaseRegressionTestingStatus
    }
  | { kind: 'readyToSubmit' }
  | { kind: 'noLongerReadyToSubmit' }
  | { kind: 'readyToRelease' }
  | { kind: 'noLongerReadyToRelease' }
  | { kind: 'phaseChanged'; from: ReleaseTimelinePhase; to: ReleaseTimelinePhase }

/**
 * Lists the differences between the stored evaluation and a new one, once each and in causal order:
 * regression status, steps in workflow order, readiness, phase.
 * Readiness to release is an edge for every store, though only Apple has an event for it.
 */
export function differences(stored: Stored, evaluation: Stored): Edge[] {
  const edges: Edge[] = []
  if (stored.regressionStatus !== evaluation.regressionStatus) {
    edges.push({
      kind: 'regressionStatusChanged',
      from: stored.regressionStatus,
      to: evaluation.regressionStatus,
    })
  }
  const before = new Map(stored.steps.map((step) => [step.stepId, step.status]))
  for (const { stepId, status: to } of evaluation.steps) {
    const from = before.get(stepId) ?? 'notStarted'
    if (from !== to) edges.push({ kind: 'stepStatusChanged', stepId, from, to })
  }
  if (stored.readyToSubmit !== evaluation.readyToSubmit) {
    edges.push({ kind: evaluation.readyToSubmit ? 'readyToSubmit' : 'noLongerReadyToSubmit' })
  }
  if (stored.readyToRelease !== evaluation.readyToRelease) {
    edges.push({ kind: evaluation.readyToRelease ? 'readyToRelease' : 'noLongerReadyToRelease' })
  }
  if (stored.phase !== evaluation.phase) {
    edges.push({ kind: 'phaseChanged', from: stored.phase, to: evaluation.phase })
  }
  return edges
}
