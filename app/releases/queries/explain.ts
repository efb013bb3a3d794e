import { byDate } from '../engine/outlook.js'
import { of, select } from '#foundation/core/database/statement'
import { groups } from '#organizations/tables'
import { refuse, type ProblemPlace } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { illegalStatus, LEGAL_ITEM_STATUSES } from '../engine/item_statuses.js'
import { evaluate } from '../engine/evaluate.js'
import { applyWhatIf } from '../engine/what_if.js'
import { whyNotMoving, type StepAnswer } from '../engine/why_not_moving.js'
import { aheadOnTrain } from '../lifecycle/move_train.js'
import { STORE_NAMES, type StoreKind } from '#apps/vocabulary'
import type { ItemKind, ItemStatus } from '../vocabulary.js'
import { releaseExtensions, type Expected, type Stalled } from '../extensions.js'
import { publicReleaseId } from '../names/public_release_id.js'
import { connectionConditions, endsOfCredentials } from './failing_connections.js'
import { heldByExtensions } from './held_by_extensions.js'
import { loadFacts } from './load_facts.js'
import type { ReleaseRow } from './read_release.js'

/** Explains why a release does not move on, from the same evaluation that gives its statuses. */
export async function explain(scope: Scope, release: ReleaseRow, ifItems: readonly string[]) {
  return (await explained(scope, release, ifItems)).why
}

/** Returns the explanation along with the steps and facts that it was evaluated from. */
export async function explained(
  scope: Scope,
  release: ReleaseRow,
  ifItems: readonly string[] = []
) {
  const { facts, steps: rows } = await loadFacts(scope, release)
  const changes = parseChanges(ifItems, facts.items)
  const assumed = changes.length > 0 ? applyWhatIf(facts, changes) : facts
  const { phase, readyToSubmit, readyToRelease } = evaluate(assumed, scope.now)
  const holders = await holdersOf(scope, release)
  const result = whyNotMoving(assumed, scope.now, holders, await heldByExtensions(scope, release))
  const named = await namer(scope, facts.storeKind, facts.pilot)
  const ofConnections = await connectionConditions(scope, release.appId)
  const connectionsOf = ({ type, unmet }: StepAnswer) =>
    unmet.length > 0 ? ofConnections(type) : []
  /** Returns each failing connection only once. */
  const connectionsOfAll = (steps: StepAnswer[]) => {
    const conditions = steps.flatMap(connectionsOf)
    return [...new Map(conditions.map((each) => [each.subject?.id, each])).values()]
  }
  const isOver = result.steps.every(({ unmet }) => unmet.length === 0)
  const configs = new Map(facts.steps.map((step) => [step.id, step.stepConfigId]))
  const why = {
    releaseId: release.publicId,
    status: release.status,
    phase,
    readyToSubmit,
    readyToRelease,
    steps: result.steps.map((step) => ({
      ...step,
      stepConfigId: configs.get(step.stepId)!,
      unmet: [...step.unmet, ...connectionsOf(step)].map(named),
    })),
    release: [
      ...result.release,
      ...connectionsOfAll(result.steps.filter(({ required }) => required)),
    ].map(named),
    warnings: (await stalledInExtensions(scope, release)).map(named),
    next: [
      ...result.next,
      ...(await expectedByExtensions(scope, release)),
      ...(isOver ? [] : await endsOfCredentials(scope, release.appId)),
    ]
      .sort(byDate)
      .map(({ who = [], ...move }: Expected) => (who.length > 0 ? named({ ...move, who }) : move)),
  }
  return { why, steps: rows, facts }
}

async function expectedByExtensions(scope: Scope, release: ReleaseRow): Promise<Expected[]> {
  const all: Expected[] = []
  for (const { presentation } of releaseExtensions.all) {
    all.push(...((await presentation?.expected?.(scope, release)) ?? []))
  }
  return all
}

async function stalledInExtensions(scope: Scope, release: ReleaseRow): Promise<Stalled[]> {
  const all: Stalled[] = []
  for (const { presentation } of releaseExtensions.all) {
    all.push(...((await presentation?.stalled?.(scope, release)) ?? []))
  }
  return all
}

/** Returns the releases on the train that an upcoming release waits for. */
async function holdersOf(scope: Scope, release: ReleaseRow) {
  const holders = await aheadOnTrain(scope, release)
  return holders.map((version) => ({
    id: publicReleaseId({ appId: release.appId, version }),
    version,
  }))
}

interface Named {
  type: string
  id?: string
  name?: string
}

/** Names of stores. OTA releases have no store with a name. */
const NAMES: Record<StoreKind, string> = { ...STORE_NAMES, ota: 'store' }

/** The name of the pilot of a release that has none. */
const NO_PILOT = 'Release pilot'

const PEOPLED_GROUPS = select(
  of(groups, 'g', ['id', 'name', 'userActions']),
  `from groups g
  where g.organization_id = :org and exists (select 1 from group_members m where m.group_id = g.id)
  order by g.name`
)

/**
 * Returns a function that completes the people of a condition for readers: it adds the groups with
 * members that hold a user action, the pilot, and names for stores and for the service.
 */
export async function namer(
  scope: Scope,
  storeKind: StoreKind,
  pilot: { id: string; name: string } | null = null
) {
  const peopled = await scope.rowsOnce(PEOPLED_GROUPS)
  const holders = peopled.map(({ id, name, userActions }) => ({
    group: { type: 'group', id, name },
    actions: new Set<string>(userActions),
  }))
  const nameOf = (type: string) => {
    if (type === 'releasePilot') return NO_PILOT
    return type === 'store' ? NAMES[storeKind] : type
  }
  return <Condition extends { who: Named[] }>(condition: Condition) => {
    const who = condition.who.map((each) => {
      const known = { ...each, ...(each.type === 'releasePilot' && !each.id && pilot) }
      const { type, name = nameOf(type) } = known
      return { ...known, name }
    })
    const listed = new Set(who.map((each) => each.id))
    const added = holders.filter(
      ({ group, actions }) =>
        !listed.has(group.id) &&
        who.some((each) => each.type === 'userAction' && actions.has(each.name))
    )
    return { ...condition, who: [...who, ...added.map(({ group }) => group)] }
  }
}

/** Parses `ifItem`. @throws invalid_input for a bad form, an unknown item or an illegal status */
function parseChanges(
  texts: readonly string[],
  items: readonly { id: string; kind: ItemKind }[]
): { itemId: string; status: ItemStatus }[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  const errors: ProblemPlace[] = []
  const changes = texts.flatMap((text) => {
    const split = text.lastIndexOf(':')
    const itemId = split < 0 ? text : text.slice(0, split)
    const status = text.slice(itemId.length + 1)
    const item = byId.get(itemId)
    const legal = item && LEGAL_ITEM_STATUSES[item.kind].find((each) => each === status)
    if (legal) return [{ itemId, status: legal }]
    errors.push({ parameter: 'ifItem', ...faultOf(text, itemId, item) })
    return []
  })
  if (errors.length > 0) throw refuse('invalid_input', { detail: errors[0].message, errors })
  return changes
}

/** Returns the fault of an invalid `ifItem`. */
function faultOf(text: string, itemId: string, item: { kind: ItemKind } | undefined) {
  if (!text.includes(':')) {
    return { code: 'format', message: `"${text}" must be <id>:<status> of an item.` }
  }
  if (!item) return { code: 'unknown_item', message: `The release has no item "${itemId}".` }
  const message = `"${text}": ${illegalStatus(item.kind, text.slice(itemId.length + 1))}`
  return { code: 'illegal_status', message }
}
