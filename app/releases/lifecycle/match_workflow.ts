import type { StepRow } from '../queries/step_rows.js'

/** The members of a step that come from the app's workflow. */
export type WantedStep = Pick<
  StepRow,
  | 'stepConfigId'
  | 'name'
  | 'type'
  | 'groupIndex'
  | 'position'
  | 'required'
  | 'destinationId'
  | 'workflowName'
  | 'workflowDestination'
>

/** A step of a release as far as it is known again. */
type KnownStep = Pick<
  StepRow,
  'id' | 'stepConfigId' | 'name' | 'type' | 'workflowName' | 'workflowDestination'
>

/** The result of matching the steps of a release with its workflow. */
interface WorkflowMatch<Row> {
  /** By the step that the workflow wants, the one that the release goes on with. */
  kept: Map<WantedStep, Row>
  /** Held, and no longer in the workflow. */
  staying: Row[]
  leaving: Row[]
}

/**
 * Matches the steps of a release with those of its workflow. A step that the workflow lost and the
 * release kept returns to the workflow's step of the same archetype, name and destination, even if
 * another step used that id meanwhile; otherwise steps match by id.
 * @param held ids of the steps that the release keeps whatever its workflow is
 */
export function matchWorkflow<Row extends KnownStep>(
  wanted: readonly WantedStep[],
  rows: readonly Row[],
  held: ReadonlySet<string>
): WorkflowMatch<Row> {
  const byConfig = new Map(rows.map((row) => [row.stepConfigId, row]))
  const wantedIds = new Set(wanted.map((step) => step.stepConfigId))
  const lost = rows.filter((row) => held.has(row.id) && !wantedIds.has(row.stepConfigId))
  // The name in the workflow takes precedence over the name that the step kept.
  const byIdentity = new Map([
    ...lost.map((row) => [identityOf(row, row.name), row] as const),
    ...lost.map((row) => [identityOf(row, row.workflowName), row] as const),
  ])
  const going = new Set<Row>()
  const kept = new Map<WantedStep, Row>()
  for (const step of wanted) {
    const identity = identityOf(step, step.name)
    const row = byConfig.get(step.stepConfigId)
    const isTheSame = row && held.has(row.id) && identityOf(row, row.workflowName) === identity
    const again = isTheSame ? undefined : byIdentity.get(identity)
    const found = again && !going.has(again) ? again : row
    if (!found) continue
    kept.set(step, found)
    going.add(found)
  }
  const rest = rows.filter((row) => !going.has(row))
  return {
    kept,
    staying: rest.filter((row) => held.has(row.id)),
    leaving: rest.filter((row) => !held.has(row.id)),
  }
}

/** A destination is known by its name, whatever its case, as configurations know it. */
const identityOf = (
  { type, workflowDestination }: Pick<StepRow, 'type' | 'workflowDestination'>,
  name: string
) => JSON.stringify([type, name, workflowDestination?.toLowerCase() ?? null])
