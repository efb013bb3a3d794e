import { globProblem } from '#apps/patterns/glob'
import { checkPattern } from '#apps/patterns/pattern'
import { Faults } from '#foundation/core/problems/faults'
import type { Scope } from '#foundation/core/scope'
import type { BucketRetention } from './settings.js'
import { ruleRows } from './store_buckets.js'
import type { BucketMemberRow, BucketRuleRow } from './tables.js'
import { BRANCH_OF_RULE } from './vocabulary.js'
import type { AutomationInput, MemberInput, RuleInput } from './validators/bucket_input.js'

interface Given {
  members?: readonly MemberInput[]
  rules?: readonly RuleInput[]
  automations?: readonly AutomationInput[]
}

/** Members, rules and retention of a bucket as they are stored; absent where they were not given. */
export interface BucketParts {
  members?: BucketMemberRow[]
  rules?: BucketRuleRow[]
  retention?: BucketRetention | null
}

/**
 * Reads the members, rules and automations of a bucket.
 * @param before the rules there are: one that says the same keeps its id
 * @throws invalid_input with everything that is wrong with them
 */
export async function readBucketParts(
  scope: Scope,
  { members, rules, automations }: Given,
  before: readonly BucketRuleRow[]
): Promise<BucketParts> {
  const faults = new Faults()
  const read: BucketParts = {}
  if (members) read.members = await memberRows(scope, members, faults)
  if (rules) {
    rules.forEach((rule, index) => checkRule(rule, `/rules/${index}`, faults))
    read.rules = ruleRows(
      rules.map(({ type, branch, baseBranch, workflow, fileFilterPatterns }) => ({
        type,
        branch: branch ?? null,
        baseBranch: baseBranch ?? null,
        workflow: workflow ?? null,
        fileFilterPatterns: fileFilterPatterns ?? [],
      })),
      before
    )
  }
  if (automations) read.retention = retentionOf(automations, faults)
  faults.demandNone()
  return read
}

/** None given is none: builds are kept. */
function retentionOf(
  automations: readonly AutomationInput[],
  faults: Faults
): BucketRetention | null {
  if (automations.length === 0) return null
  const [{ enabled, config }] = automations
  const { maxAgeDays = null, maxBuilds = null } = config
  if (maxAgeDays === null && maxBuilds === null) {
    const message = 'Builds expire by maxAgeDays, by maxBuilds, or by both.'
    faults.add({ pointer: '/automations/0/config', code: 'required', message })
  }
  return { enabled, maxAgeDays, maxBuilds }
}

async function memberRows(
  scope: Scope,
  members: readonly MemberInput[],
  faults: Faults
): Promise<BucketMemberRow[]> {
  const [groups, users] = await Promise.all([
    scope.table('groups').select('id', 'name'),
    scope
      .table('users')
      .where((query) => {
        const ids = members.flatMap(({ id }) => id ?? [])
        const emails = members.flatMap(({ name }) => name?.toLowerCase() ?? [])
        query.whereIn('id', ids).orWhereIn('email', emails)
      })
      .select('id', 'email'),
  ])
  const seen = new Set<string>()
  return members.flatMap(({ id, name, permissionLevel }, index) => {
    const at = `/members/${index}`
    const group = groups.find((each) => each.id === id || (!id && each.name === name))
    const user = users.find((each) => each.id === id || (!id && each.email === name?.toLowerCase()))
    const found = group ?? user
    if (!found) {
      const message = `The organization has no group or user ${id ?? name ?? 'without id and name'}.`
      faults.add({ pointer: at, code: 'unknown', message })
      return []
    }
    if (seen.has(found.id)) {
      const message = `${id ?? name} is a member of the bucket already.`
      faults.add({ pointer: at, code: 'duplicate', message })
    }
    seen.add(found.id)
    return [{ type: group ? ('group' as const) : ('user' as const), id: found.id, permissionLevel }]
  })
}

/** By its type a rule takes a branch or a base branch, never both. */
function checkRule(rule: RuleInput, at: string, faults: Faults): void {
  const { needed, refused } = BRANCH_OF_RULE[rule.type]
  const add = (member: string, code: string, message: string) =>
    faults.add({ pointer: `${at}/${member}`, code, message })
  const pattern = rule[needed]
  if (!pattern) add(needed, 'required', `A rule of type ${rule.type} needs ${needed}.`)
  else {
    for (const { code, message } of checkPattern(pattern, 'bucketBranch')) {
      add(needed, code, message)
    }
  }
  if (rule[refused]) {
    add(refused, 'not_allowed', `A rule of type ${rule.type} takes ${needed}, not ${refused}.`)
  }
  for (const [index, glob] of (rule.fileFilterPatterns ?? []).entries()) {
    const problem = globProblem(glob)
    if (problem) add(`fileFilterPatterns/${index}`, 'pattern_too_long', problem)
  }
}
