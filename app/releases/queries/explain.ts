import { of, select } from '#foundation/core/database/statement'
import { groups } from '#organizations/tables'
import { refuse, type ProblemPlace } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { isLegalItemStatus } from '../engine/item_statuses.js'
import { ITEM_STATUSES, type ItemStatus } from '../vocabulary.js'
import { evaluate } from '../engine/evaluate.js'
import { applyWhatIf } from '../engine/what_if.js'
import { whyNotMoving } from '../engine/why_not_moving.js'
import { loadFacts } from './load_facts.js'
import type { ReleaseRow } from './read_release.js'

/** Why a release does not move, from the same evaluation that gives its statuses. */
export async function explain(scope: Scope, release: ReleaseRow, ifItems: readonly string[]) {
  const { facts } = await loadFacts(scope, release)
  const changes = parseChanges(ifItems, facts.items)
  const assumed = changes.length > 0 ? applyWhatIf(facts, changes) : facts
  const { phase, readyToSubmit, readyToRelease } = evaluate(assumed, scope.now)
  const answer = whyNotMoving(assumed, scope.now)
  const named = await namer(scope)
  const configs = new Map(facts.steps.map((step) => [step.id, step.stepConfigId]))
  return {
    releaseId: release.publicId,
    status: release.status,
    phase,
    readyToSubmit,
    readyToRelease,
    steps: answer.steps.map((step) => ({
      ...step,
      stepConfigId: configs.get(step.stepId)!,
      unmet: step.unmet.map(named),
    })),
    release: answer.release.map(named),
    next: answer.next,
  }
}

interface Named {
  type: string
  id?: string
  name?: string
}

const PEOPLED_GROUPS = select(
  of(groups, 'g', ['id', 'name', 'userActions']),
  `from groups g
  where g.organization_id = :org and exists (select 1 from group_members m where m.group_id = g.id)
  order by g.name`
)

/**
 * Says who can meet a condition so that a person can be asked: behind a user action stand
 * the groups with members that hold it. Service, store and provider have no name of their
 * own; a reader wants one.
 */
async function namer(scope: Scope) {
  const peopled = await scope.rows(PEOPLED_GROUPS)
  const holders = peopled.map(({ id, name, userActions }) => ({
    group: { type: 'group', id, name },
    actions: new Set<string>(userActions),
  }))
  return <Condition extends { who: Named[] }>(condition: Condition) => {
    const who = condition.who.map((each) => ({ ...each, name: each.name ?? each.type }))
    const listed = new Set(who.map((each) => each.id))
    const behind = holders.filter(
      ({ group, actions }) =>
        !listed.has(group.id) &&
        who.some((each) => each.type === 'userAction' && actions.has(each.name))
    )
    return { ...condition, who: [...who, ...behind.map(({ group }) => group)] }
  }
}

/** @throws invalid_input for a change that is none, of an unknown item, or not legal for its kind. */
function parseChanges(
  texts: readonly string[],
  items: readonly { id: string; kind: Parameters<typeof isLegalItemStatus>[0] }[]
): { itemId: string; status: ItemStatus }[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  const errors: ProblemPlace[] = []
  const changes = texts.flatMap((text) => {
    const split = text.lastIndexOf(':')
    const itemId = text.slice(0, split)
    const status = ITEM_STATUSES.find((each) => each === text.slice(split + 1))
    const item = byId.get(itemId)
    if (item && status && isLegalItemStatus(item.kind, status)) return [{ itemId, status }]
    errors.push({
      parameter: 'ifItem',
      code: item ? 'illegal_status' : 'unknown_item',
      message: `${text} must be <id>:<status> of an item of this release.`,
    })
    return []
  })
  if (errors.length > 0) throw refuse('invalid_input', { detail: errors[0].message, errors })
  return changes
}
