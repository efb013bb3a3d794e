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

/** The members of a release's step that identify it. */
type KnownStep = Pick<
  StepRow,
  'id' | 'stepConfigId' | 'name' | 'type' | 'workflowName' | 'workflowDestination'
>

/** The result of matching the steps of a release with its workflow. */
interface WorkflowMatch<Row> {
  /** Steps of the release by the step of the workflow that they match. */
  kept: Map<WantedStep, Row>
  /** Held steps that are no longer in the workflow. */
  staying: Row[]
  /** Other steps that are no longer in the workflow. */
  leaving: Row[]
}

/**
 * Matches the steps of a release with those of its workflow by id. An exception is a held step that
 * the workflow lost and has again: it matches a step of the same archetype, name and destination,
 * even if another step of the release has that id meanwhile.
 * @param held ids of the steps that the release keeps even if its workflow drops them
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
  const matched = new Set<Row>()
  const kept = new Map<WantedStep, Row>()
  for (const step of wanted) {
    const identity = identityOf(step, step.name)
    const row = byConfig.get(step.stepConfigId)
    const isSame = row && held.has(row.id) && identityOf(row, row.workflowName) === identity
    const returning = isSame ? undefined : byIdentity.get(identity)
    const found = returning && !matched.has(returning) ? returning : row
    if (!found) continue
    kept.set(step, found)
    matched.add(found)
  }
  const rest = rows.filter((row) => !matched.has(row))
  return {
    kept,
    staying: rest.filter((row) => held.has(row.id)),
    leaving: rest.filter((row) => !held.has(row.id)),
  }
}

/** Returns a key for a step. Destinations are identified by name, ignoring case. */
const identityOf = (
  { type, workflowDestination }: Pick<StepRow, 'type' | 'workflowDestination'>,
  name: string
) => JSON.stringify([type, name, workflowDestination?.toLowerCase() ?? null])
