import { stepConfigs } from '#apps/tables'
import { alike } from '#foundation/core/alike'
import { of, select } from '#foundation/core/database/statement'
import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { MAX_RELEASE_STEPS } from '#workflow/bounds'
import { neutralPart } from '../engine/facts.js'
import { workflowReleaseType } from '../engine/release_type.js'
import { placeSteps } from '../engine/step_places.js'
import type Release from '../models/release.js'
import { isEnded } from '../open_releases.js'
import { releaseParts } from '../parts.js'
import { stepRows, type StepRow } from '../queries/step_rows.js'
import type { Reach } from '../reach.js'
import { releaseSteps, stepRuns } from '../tables.js'

const WORKFLOW = select(
  of(stepConfigs, 'c'),
  `from step_configs c where c.organization_id = :org and c.app_id = :appId
  order by c.group_index, c.position`
)

/** What a step takes from the app's workflow. */
type WantedStep = Pick<
  StepRow,
  'stepConfigId' | 'name' | 'type' | 'groupIndex' | 'position' | 'required' | 'destinationId'
>

/** A step that a release gets, under its new id. */
type NewStep = WantedStep & Pick<StepRow, 'id'>

/** The steps that the app's present workflow gives a release of this type. */
async function wantedSteps(scope: Scope, release: Release, reach: Reach): Promise<WantedStep[]> {
  const { appId } = release
  const configs = await reach.once(`workflow of ${appId}`, () => scope.rows(WORKFLOW, { appId }))
  const kind = workflowReleaseType(release.releaseType)
  return configs.flatMap((config) => {
    const applies = config.releaseTypes[kind]
    if (!applies) return []
    const { id: stepConfigId, name, type, groupIndex, position, destinationId } = config
    return [
      { stepConfigId, name, type, groupIndex, position, destinationId, required: applies.required },
    ]
  })
}

/** What becomes of the steps of a release under its workflow. */
interface Adoption {
  /** By the step that the workflow wants, the one that the release goes on with. */
  kept: Map<WantedStep, StepRow>
  /** Worked on, and no longer in the workflow. */
  staying: StepRow[]
  leaving: StepRow[]
}

/**
 * Brings the steps of a release in line with the app's workflow: all of them in an upcoming
 * release, the untouched ones in an active one. Every step gets its place anew, whoever
 * worked on it (`placeSteps`). Completed and skipped releases stay as they are.
 * @param reach the edit of the app that reaches the release.
 * @returns whether anything changed.
 * @throws too_many_steps
 */
export async function copyWorkflow(scope: Scope, release: Release, reach: Reach): Promise<boolean> {
  if (isEnded(release)) return false
  const wanted = await wantedSteps(scope, release, reach)
  const rows = await stepRows(scope, release.id)
  const held = await heldSteps(scope, release, rows)
  const { kept, staying, leaving } = adopt(wanted, rows, held)
  demandRoomForSteps(release, wanted.length - kept.size, kept.size + staying.length)
  const ids = new Map(wanted.map((step) => [step, kept.get(step)?.id ?? newId('step')]))
  const places = placeSteps(
    rows,
    wanted.map((step) => ({ ...step, id: ids.get(step)! })),
    new Set(staying.map(({ id }) => id))
  )

  const gone = leaving.map(({ id }) => id)
  if (gone.length > 0) await scope.table('release_steps').whereIn('id', gone).delete()
  const changes = staying.map((row) => [row.id, differing(row, places.get(row.id)!)] as const)
  for (const [step, row] of kept) {
    const { stepConfigId, name, required, destinationId } = step
    const members = isTouched(release, row) ? {} : { name, required, destinationId }
    const values = { stepConfigId, ...members, ...places.get(row.id)! }
    changes.push([row.id, differing(row, values)])
  }
  const changing = alike(changes)
  for (const { ids: id, values } of changing) await scope.update(releaseSteps, { id }, values)
  const added = wanted
    .filter((step) => !kept.has(step))
    .map((step) => ({ ...step, id: ids.get(step)!, ...places.get(ids.get(step)!)! }))
  await addSteps(scope, release, added)
  return gone.length + changing.length + added.length > 0
}

/** @throws too_many_steps where steps come to a release that would hold more than it may */
function demandRoomForSteps({ version }: Release, added: number, kept: number): void {
  const count = kept + added
  if (added === 0 || count <= MAX_RELEASE_STEPS) return
  throw refuse('too_many_steps', {
    detail: `The release ${version} would hold ${count} steps, those that it began and the workflow lost among them; at most ${MAX_RELEASE_STEPS} may be in one.`,
    members: { limit: MAX_RELEASE_STEPS },
  })
}

/**
 * A step that a workflow wants is the one with its id; else one that the workflow lost, was
 * worked on, and has its archetype, name and destination: it was removed and is put back.
 */
function adopt(
  wanted: readonly WantedStep[],
  rows: readonly StepRow[],
  held: ReadonlySet<string>
): Adoption {
  const byConfig = new Map(rows.map((row) => [row.stepConfigId, row]))
  const wantedIds = new Set(wanted.map((step) => step.stepConfigId))
  const lost = new Map(
    rows
      .filter((row) => held.has(row.id) && !wantedIds.has(row.stepConfigId))
      .map((row) => [identityOf(row), row])
  )
  const kept = new Map<WantedStep, StepRow>()
  for (const step of wanted) {
    const row = byConfig.get(step.stepConfigId)
    const found = row && held.has(row.id) ? row : (lost.get(identityOf(step)) ?? row)
    if (found) kept.set(step, found)
  }
  const going = new Set(kept.values())
  const rest = rows.filter((row) => !going.has(row))
  return {
    kept,
    staying: rest.filter((row) => held.has(row.id)),
    leaving: rest.filter((row) => !held.has(row.id)),
  }
}

const identityOf = ({ type, name, destinationId }: WantedStep | StepRow) =>
  JSON.stringify([type, name, destinationId])

/** Ids of the steps that stay in the release whatever its workflow is. */
async function heldSteps(
  scope: Scope,
  release: Release,
  rows: readonly StepRow[]
): Promise<Set<string>> {
  const held = new Set(rows.filter((row) => isTouched(release, row)).map(({ id }) => id))
  if (rows.length === 0) return held
  for (const part of releaseParts.parts) {
    for (const id of (await part.touched?.(scope, release)) ?? []) held.add(id)
  }
  return held
}

/** Whether a step keeps what it is: in an upcoming release none does. */
const isTouched = (release: Release, row: StepRow) =>
  release.status === 'active' && isStepTouched(row)

/** What differs from what is stored. */
const differing = (row: StepRow, values: Partial<StepRow>): Partial<StepRow> =>
  Object.fromEntries(
    Object.entries(values).filter(([member, value]) => row[member as keyof StepRow] !== value)
  )

/** A step is touched once it left `notStarted`, began anew, or holds recorded facts or notes. */
function isStepTouched({ status, attempt, facts, notes, type }: StepRow): boolean {
  return (
    status !== 'notStarted' ||
    attempt > 1 ||
    JSON.stringify(facts) !== JSON.stringify(neutralPart(type).facts) ||
    Object.keys(notes).length > 0
  )
}

async function addSteps(scope: Scope, release: Release, steps: readonly NewStep[]) {
  const rows = steps.map((step) => ({ ...step, stepRunId: newId('run') }))
  await scope.insert(
    releaseSteps,
    rows.map((row) => ({
      ...row,
      releaseId: release.id,
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
