import { extended, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { itemReleaseType } from '#releases/engine/release_type'
import type Release from '#releases/models/release'
import { stepRows } from '#releases/queries/step_rows'
import type { Reach } from '#releases/reach'
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
 * The items that a release should hold by the definitions of its app, by id: the live templates
 * for its type and its own one-offs, each on its step; one without a step in it is not in it.
 * @param only the items to look at; all of them by default.
 */
export async function expectedItems(
  scope: Scope,
  release: Release,
  reach: Reach,
  only?: ReadonlySet<string>
): Promise<Map<string, ExpectedItem>> {
  const steps = await stepRows(scope, release.id)
  const byConfig = new Map(steps.map((step) => [step.stepConfigId, step.id]))
  // The last one set wins, so the first step of a type stands.
  const byType = new Map([...steps].reverse().map((step) => [step.type, step.id]))
  const type = itemReleaseType(release.releaseType, release.settings.assumeHotfixesArePointReleases)

  const expected = new Map<string, ExpectedItem>()
  for (const item of await definedItems(scope, release, reach, only)) {
    const isOneOff = item.releaseId !== null
    if (!isOneOff && !item.releaseTypes.includes(type)) continue
    const stepId = item.stepConfigId
      ? byConfig.get(item.stepConfigId)
      : item.stepType && byType.get(item.stepType)
    if (!stepId) continue
    const { kind, title, position } = item
    expected.set(item.id, { kind, title, position, stepId, isOneOff })
  }
  return expected
}

async function definedItems(
  scope: Scope,
  { appId, id: releaseId }: Release,
  reach: Reach,
  only?: ReadonlySet<string>
): Promise<Defined[]> {
  const ids = only && JSON.stringify([...only])
  const templates = await reach.once(`templates of ${appId}`, () =>
    ids ? scope.rows(NAMED_TEMPLATES, { appId, ids }) : scope.rows(TEMPLATES, { appId })
  )
  const oneOffs = await scope.rows(ONE_OFFS, { appId, releaseId })
  return [...templates, ...oneOffs.filter(({ id }) => !only || only.has(id))]
}
