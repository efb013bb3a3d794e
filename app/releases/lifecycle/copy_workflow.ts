import { destinations, stepConfigs } from '#apps/tables'
import { alike } from '#foundation/core/alike'
import { as, of, select } from '#foundation/core/database/statement'
import { optional, text } from '#foundation/core/database/table'
import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { MAX_RELEASE_STEPS } from '#workflow/bounds'
import { neutralPart } from '../engine/facts.js'
import { workflowReleaseType } from '../engine/release_type.js'
import { placeSteps } from '../engine/step_places.js'
import type Release from '../models/release.js'
import { isEnded } from './open_releases.js'
import { stepRows, type StepRow } from '../queries/step_rows.js'
import type { EditCache } from './edit_cache.js'
import { releaseSteps, stepRuns } from '../tables.js'
import { heldSteps, isWorkedOn } from './held_steps.js'
import { matchWorkflow, type WantedStep } from './match_workflow.js'

const WORKFLOW = select(
  { ...of(stepConfigs, 'c'), destination: as(optional(text()), 'd.name') },
  `from step_configs c
    left join destinations d on d.id = c.destination_id and d.organization_id = c.organization_id
  where c.organization_id = :org and c.app_id = :appId
  order by c.group_index, c.position`
)
const DESTINATIONS = select(
  of(destinations, 'd', ['id']),
  'from destinations d where d.organization_id = :org and d.app_id = :appId'
)

/** A step to be added to a release, with its new id. */
type NewStep = WantedStep & Pick<StepRow, 'id'>

/** Returns the steps that the current workflow of the app gives a release of this type. */
async function wantedSteps(
  scope: Scope,
  release: Release,
  cache: EditCache
): Promise<WantedStep[]> {
  const { appId } = release
  const configs = await cache.once(`workflow of ${appId}`, () => scope.rows(WORKFLOW, { appId }))
  const kind = workflowReleaseType(release.releaseType)
  return configs.flatMap((config) => {
    const applies = config.releaseTypes[kind]
    if (!applies) return []
    const { id: stepConfigId, name, type, groupIndex, position, destinationId } = config
    const known = { workflowName: name, workflowDestination: config.destination }
    const { required } = applies
    return [{ stepConfigId, name, type, groupIndex, position, destinationId, required, ...known }]
  })
}

/** The result of aligning the steps of a release with the workflow. */
interface CopiedWorkflow {
  changed: boolean
  /** Ids of the steps to delete with `removeSteps`, once their items have been moved. */
  leaving: ReadonlySet<string>
}

/**
 * Makes the steps of a release match the app's workflow: all steps of an upcoming release, and the
 * untouched steps of an active one. Places are assigned to all steps again (`placeSteps`).
 * Completed and skipped releases do not change.
 * @param cache shared by all releases that an edit of the app is applied to
 * @throws too_many_steps
 */
export async function copyWorkflow(
  scope: Scope,
  release: Release,
  cache: EditCache
): Promise<CopiedWorkflow> {
  if (isEnded(release)) return { changed: false, leaving: new Set() }
  const wanted = await wantedSteps(scope, release, cache)
  const rows = await stepRows(scope, release.id)
  const held = await heldSteps(scope, release, rows)
  const { kept, staying, leaving } = matchWorkflow(wanted, rows, held)
  requireRoomForSteps(release, wanted.length - kept.size, kept.size + staying.length)
  const ids = new Map(wanted.map((step) => [step, kept.get(step)?.id ?? newId('step')]))
  const places = placeSteps(
    rows,
    wanted.map((step) => ({ ...step, id: ids.get(step)! })),
    new Set(staying.map(({ id }) => id))
  )

  const wantedIds = new Set(wanted.map((step) => step.stepConfigId))
  const lost = [...staying, ...leaving].map((row) => {
    // The workflow has a different step with this id, so the lost step gets a new one.
    const freed = wantedIds.has(row.stepConfigId) && { stepConfigId: newId('sc') }
    return [row.id, differing(row, { ...places.get(row.id), ...freed, inWorkflow: false })] as const
  })
  const destinationsNow = await destinationIds(scope, release, cache)
  const matched = [...kept].map(([step, row]) => {
    const values = { ...identity(step), ...membersFor(release, row, step, destinationsNow) }
    return [row.id, differing(row, { ...values, ...places.get(row.id)! })] as const
  })
  // Lost steps give up their step config ids before others take them.
  const changing = [...alike(lost), ...alike(matched)]
  for (const { ids: id, values } of changing) await scope.update(releaseSteps, { id }, values)
  const added = wanted
    .filter((step) => !kept.has(step))
    .map((step) => ({ ...step, id: ids.get(step)!, ...places.get(ids.get(step)!)! }))
  await addSteps(scope, release, added)
  return {
    changed: changing.length + added.length > 0,
    leaving: new Set(leaving.map(({ id }) => id)),
  }
}

/** Deletes steps of a release, with all data that is still on them. */
export async function removeSteps(scope: Scope, ids: ReadonlySet<string>): Promise<void> {
  if (ids.size > 0)
    await scope
      .table('release_steps')
      .whereIn('id', [...ids])
      .delete()
}

/** Returns the properties by which a workflow identifies a step. */
const identity = ({ stepConfigId, workflowName, workflowDestination }: WantedStep) => ({
  stepConfigId,
  workflowName,
  workflowDestination,
  inWorkflow: true,
})

/**
 * Returns the new values of a matched step. A step that was worked on keeps its own, unless its
 * destination was deleted.
 */
function membersFor(
  release: Release,
  row: StepRow,
  { name, required, destinationId }: WantedStep,
  destinationsNow: ReadonlySet<string>
) {
  if (!isWorkedOn(release, row)) return { name, required, destinationId }
  const isDestinationGone = row.destinationId !== null && !destinationsNow.has(row.destinationId)
  return isDestinationGone ? { destinationId } : {}
}

/** Returns the ids of the app's current destinations. */
async function destinationIds(scope: Scope, { appId }: Release, cache: EditCache) {
  const rows = await cache.once(`destinations of ${appId}`, () =>
    scope.rows(DESTINATIONS, { appId })
  )
  return new Set(rows.map(({ id }) => id))
}

/** @throws too_many_steps if steps are added to a release and exceed the limit */
function requireRoomForSteps({ version }: Release, added: number, kept: number): void {
  const count = kept + added
  if (added === 0 || count <= MAX_RELEASE_STEPS) return
  throw refuse('too_many_steps', {
    detail: `The release ${version} would have ${count} steps, including steps already started that were removed from the workflow; it can have at most ${MAX_RELEASE_STEPS}.`,
    members: { limit: MAX_RELEASE_STEPS },
  })
}

/** Returns the values that differ from the stored ones. */
const differing = (row: StepRow, values: Partial<StepRow>): Partial<StepRow> =>
  Object.fromEntries(
    Object.entries(values).filter(([member, value]) => row[member as keyof StepRow] !== value)
  )

async function addSteps(scope: Scope, release: Release, steps: readonly NewStep[]) {
  const rows = steps.map((step) => ({ ...step, stepRunId: newId('run') }))
  await scope.insert(
    releaseSteps,
    rows.map((row) => ({
      ...row,
      releaseId: release.id,
      inWorkflow: true,
      status: 'notStarted' as const,
      statusChangedAt: null,
    }))
  )
  await scope.insert(
    stepRuns,
    rows.map((row) => ({
      id: row.stepRunId,
      releaseId: release.id,
      stepId: row.id,
      attempt: 1,
      status: 'notStarted' as const,
      startedAt: scope.now,
      completedAt: null,
      facts: neutralPart(row.type).facts,
      notes: {},
    }))
  )
}
