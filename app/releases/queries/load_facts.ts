import { storeKindOf, type AppPlatform } from '#apps/vocabulary'
import { itemFacts } from '#checklists/queries/item_facts'
import { select } from '#foundation/core/database/reader'
import type { Scope } from '#foundation/core/scope'
import { neutralPart, type ReleaseFacts, type StepFacts } from '../engine/facts.js'
import type Release from '../models/release.js'
import type { ReleaseStepStatus, ReleaseStepType } from '../vocabulary.js'
import { pilotsOf } from './release_entities.js'

/** A step of a release with its current run, as plain columns. */
export interface StepRow {
  id: string
  step_config_id: string
  name: string
  type: ReleaseStepType
  group_index: number
  position: number
  required: boolean | number
  destination_id: string | null
  status: ReleaseStepStatus
  status_changed_at: string | null
  run_id: string
  attempt: number
  facts: string
}

const APP = select(['platform'], 'from apps where organization_id = :org and id = :appId')
const STEPS = select(
  [
    's.id',
    's.step_config_id',
    's.name',
    's.type',
    's.group_index',
    's.position',
    's.required',
    's.destination_id',
    's.status',
    's.status_changed_at',
    'n.id as run_id',
    'n.attempt',
    'n.facts',
  ],
  `from release_steps s join step_runs n on n.id = s.step_run_id
  where s.organization_id = :org and s.release_id = :releaseId
  order by s.group_index, s.position, s.id`
)

/** The steps of a release in the order of the workflow. */
export async function stepRows(scope: Scope, releaseId: string): Promise<StepRow[]> {
  return scope.read<StepRow>(STEPS, { releaseId })
}

/** Everything the status of a release is derived from, and the steps as they are stored. */
export async function loadFacts(
  scope: Scope,
  release: Release
): Promise<{ facts: ReleaseFacts; steps: StepRow[] }> {
  const [app] = await scope.read<{ platform: AppPlatform }>(APP, { appId: release.appId })
  const steps = await stepRows(scope, release.id)
  const pilots = await pilotsOf(scope, [release.pilotId])
  const pilot = release.pilotId ? pilots.get(release.pilotId) : undefined
  return {
    steps,
    facts: {
      storeKind: storeKindOf(app.platform),
      releaseType: release.releaseType,
      createType: release.createType,
      kickedOffAt: release.kickedOffAt,
      submittedAt: release.submittedAt,
      approvedAt: release.approvedAt,
      releasedAt: release.releasedAt,
      completedAt: release.completedAt,
      skippedAt: release.skippedAt,
      statusBeforeSkip: release.statusBeforeSkip,
      targets: {
        kickoffAt: release.targetKickoffAt,
        submitAt: release.targetSubmitAt,
        releaseAt: release.targetReleaseAt,
      },
      pilot: pilot ? { id: pilot.id, name: pilot.name ?? pilot.email } : null,
      automations: [],
      reminders: [],
      steps: steps.map(stepFacts),
      items: await itemFacts(scope, release.id),
    },
  }
}

function stepFacts(row: StepRow): StepFacts {
  const { type, facts } = neutralPart(row.type)
  return {
    id: row.id,
    stepConfigId: row.step_config_id,
    name: row.name,
    groupIndex: row.group_index,
    position: row.position,
    required: Boolean(row.required),
    destinationId: row.destination_id,
    run: { id: row.run_id, attempt: row.attempt },
    type,
    facts: { ...facts, ...JSON.parse(row.facts) },
  } as StepFacts
}
