import { extended, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { itemReleaseType } from '#releases/engine/release_type'
import { heldSteps } from '#releases/lifecycle/held_steps'
import type Release from '#releases/models/release'
import { stepRows, type StepRow } from '#releases/queries/step_rows'
import type { EditCache } from '#releases/lifecycle/edit_cache'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { approvalsStep } from '../demanded/approvals_step.js'
import { checklistItems } from '../tables.js'

const DEFINED = select(
  of(checklistItems, 'c', [
    'id',
    'kind',
    'title',
    'releaseTypes',
    'position',
    'stepConfigId',
    'stepType',
    'releaseId',
    'demand',
  ]),
  `from checklist_items c where c.organization_id = :org and c.app_id = :appId
    and c.deleted_at is null`
)
const TEMPLATES = extended(DEFINED, 'and c.release_id is null')
const NAMED_TEMPLATES = extended(TEMPLATES, 'and c.id in json(:ids)')
const ONE_OFFS = extended(DEFINED, 'and c.release_id = :releaseId')

type Defined = RowOfSelect<typeof DEFINED>

/** An item that a release should hold, on its step. */
export interface ExpectedItem extends Pick<Defined, 'kind' | 'title' | 'position'> {
  stepId: string
  isOneOff: boolean
}

/**
 * Returns the items that a release should hold according to its app, by id: the templates for its
 * type, and its own one-offs. Items whose step is not in the release are omitted.
 * A demanded item is on the step that `approvalsStep` returns. An item placed on a step type is on
 * the first step of the type in the workflow, or else on the first one that the release kept. If
 * the item is on another held step of the type (`heldSteps`), it stays there, so that work is
 * finished on the step where it began.
 */
export async function expectedItems(
  scope: Scope,
  release: Release,
  options: {
    cache: EditCache
    /** Ids of the items to return; by default all. */
    only?: ReadonlySet<string>
    /** Ids of the steps that are about to leave the release. */
    leaving?: ReadonlySet<string>
    /** The current steps of items: step ids by item id. */
    present: ReadonlyMap<string, string>
  }
): Promise<Map<string, ExpectedItem>> {
  const { cache, only, leaving, present } = options
  const steps = (await stepRows(scope, release.id)).filter(({ id }) => !leaving?.has(id))
  const byConfig = new Map(steps.map((step) => [step.stepConfigId, step.id]))
  const stepOfType = await stepFinder(scope, release, steps)
  const demandedStepId = approvalsStep(steps)?.id
  const stepOf = (item: Defined): string | null | undefined => {
    if (item.demand) return demandedStepId
    if (item.stepConfigId) return byConfig.get(item.stepConfigId)
    return item.stepType && stepOfType(item.stepType, present.get(item.id))
  }
  const type = itemReleaseType(release.releaseType, release.settings.assumeHotfixesArePointReleases)

  const expected = new Map<string, ExpectedItem>()
  for (const item of await definedItems(scope, release, cache, only)) {
    const isOneOff = item.releaseId !== null
    if (!isOneOff && !item.releaseTypes.includes(type)) continue
    const stepId = stepOf(item)
    if (!stepId) continue
    const { kind, title, position } = item
    expected.set(item.id, { kind, title, position, stepId, isOneOff })
  }
  return expected
}

/** Returns a function that finds the step of a type for an item, given its current step if any. */
async function stepFinder(scope: Scope, release: Release, steps: readonly StepRow[]) {
  const preferred = [
    ...steps.filter(({ inWorkflow }) => inWorkflow),
    ...steps.filter(({ inWorkflow }) => !inWorkflow),
  ]
  const byType = Map.groupBy(preferred, (step) => step.type)
  const hasChoice = [...byType.values()].some(({ length }) => length > 1)
  const held = hasChoice ? await heldSteps(scope, release, steps) : new Set<string>()
  return (type: ReleaseStepType, present: string | undefined) => {
    const ofType = byType.get(type) ?? []
    const staying = ofType.find(({ id }) => id === present && held.has(id))
    return (staying ?? ofType[0])?.id
  }
}

async function definedItems(
  scope: Scope,
  { appId, id: releaseId }: Release,
  cache: EditCache,
  only?: ReadonlySet<string>
): Promise<Defined[]> {
  const ids = only && JSON.stringify([...only])
  const templates = await cache.once(`templates of ${appId}`, () =>
    ids ? scope.rows(NAMED_TEMPLATES, { appId, ids }) : scope.rows(TEMPLATES, { appId })
  )
  const oneOffs = await scope.rows(ONE_OFFS, { appId, releaseId })
  return [...templates, ...oneOffs.filter(({ id }) => !only || only.has(id))]
}
