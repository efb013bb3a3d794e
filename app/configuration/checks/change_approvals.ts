import type { WorkflowStepGroup } from '#apps/settings'
import { standardWorkflow } from '#apps/standard_workflow'
import { storeKindOf } from '#apps/vocabulary'
import type { ConfiguredRule } from '#comparison/approvals/change_rules'
import { CHANGE_KINDS } from '#comparison/vocabulary'
import type { ConfigurationFile } from '../model.js'
import type { CheckContext } from './context.js'
import type { Element, Inspector } from './inspector.js'
import { quote } from './problems.js'

const MAX_RULES = 100
const MAX_GROUPS = 20

/** The elements of a file that concern approvals of changes. */
interface ApprovalElements {
  rules: Element | undefined
  steps: Element | undefined
}

/** Reads which changes of builds need an approval, and checks that a step waits for it. */
export function checkChanges(
  inspector: Inspector,
  { rules, steps }: ApprovalElements,
  file: ConfigurationFile,
  { current, groups }: CheckContext
): void {
  file.changeApprovals = inspector.optional(rules, (each) => readRules(inspector, each, groups))
  const kept = file.changeApprovals === null ? [] : (current?.changeApprovals ?? [])
  const at = rules ?? steps
  const platform = current?.platform ?? file.platform
  if (!at || !platform || (file.changeApprovals ?? kept).length === 0) return
  const present = file.stepGroups === null ? [] : (file.stepGroups ?? current?.stepGroups ?? [])
  const workflow = present.length > 0 ? present : standardWorkflow(storeKindOf(platform))
  checkSteps(inspector, at, workflow)
}

/** Reads the rules: kinds of change, each with the groups that approve it. */
function readRules(
  inspector: Inspector,
  element: Element,
  groups: readonly string[]
): ConfiguredRule[] {
  const known = new Map(groups.map((name) => [name.toLowerCase(), name]))
  const seen = new Set<string>()
  return inspector.items(element, 'changes', MAX_RULES).flatMap((item) => {
    const rule = readRule(inspector, item, known)
    if (!rule) return []
    const key = JSON.stringify([rule.change, rule.groups.toSorted()])
    if (seen.has(key)) {
      inspector.problems.add(
        item,
        'duplicate',
        `${rule.change} is already listed with these groups`
      )
    }
    seen.add(key)
    return [rule]
  })
}

function readRule(
  inspector: Inspector,
  element: Element,
  known: ReadonlyMap<string, string>
): ConfiguredRule | undefined {
  const fields = inspector.fields(element, ['change', 'groups'])
  if (!fields) return undefined
  const change = inspector.required(element, 'change', fields.change, (each) =>
    inspector.choice(each, CHANGE_KINDS)
  )
  const named = inspector.optional(fields.groups, (each) => readGroups(inspector, each, known))
  return change && { change, groups: named ?? [] }
}

function readGroups(
  inspector: Inspector,
  element: Element,
  known: ReadonlyMap<string, string>
): string[] {
  const found = new Set<string>()
  for (const item of inspector.items(element, 'groups', MAX_GROUPS)) {
    const text = inspector.text(item, 100)
    if (text === undefined) continue
    const name = known.get(text.toLowerCase())
    if (name === undefined) {
      const message = `${quote(text)} is not a group of the organization`
      inspector.problems.addUnknown(item, 'member_unknown', message, text, known.values())
    } else if (found.has(name)) {
      inspector.problems.add(item, 'duplicate', `${name} is listed twice`)
    } else found.add(name)
  }
  return [...found]
}

/** Types of release that have their own builds. */
const TYPES_WITH_BUILDS = ['standard', 'hotfix'] as const

/** Checks that releases have a step that waits for the approvals of changes. */
function checkSteps(inspector: Inspector, at: Element, groups: readonly WorkflowStepGroup[]): void {
  const steps = groups.flatMap((group) => group.steps)
  for (const type of TYPES_WITH_BUILDS) {
    const own = steps.filter(({ releaseTypes }) => releaseTypes[type])
    const isWaiting = own.some(
      ({ archetype, releaseTypes }) => archetype === 'approvals' && releaseTypes[type]?.required
    )
    if (own.length === 0 || isWaiting) continue
    const message = `changeApprovals needs a step of archetype approvals that is required for ${type} releases, so that they wait for the approvals`
    inspector.problems.add(at, 'required', message)
  }
}
