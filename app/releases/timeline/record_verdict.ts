import type { Scope } from '#foundation/core/scope'
import { verdictText } from '../engine/item_step_rules.js'
import type Release from '../models/release.js'
import type { StepRow } from '../queries/step_rows.js'
import { recordReleaseEvent } from './record_release_event.js'

/** Records in the timeline that a person's verdict still holds although items have failed. */
export function recordVerdictStands(
  scope: Scope,
  release: Release,
  step: Pick<StepRow, 'name' | 'runId' | 'stepConfigId' | 'notes'>,
  failedItems: number
): void {
  recordReleaseEvent(scope, release, {
    type: 'step.verdictStands',
    title: `${step.name}: ${verdictText(failedItems)}`,
    stepConfigId: step.stepConfigId,
    data: { stepRunId: step.runId, failedItems, setBy: step.notes.setBy ?? null },
    payload: null,
  })
}
