import { globProblem } from '#apps/patterns/glob'
import { checkPattern } from '#apps/patterns/pattern'
import { refuse, type ProblemPlace } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { ruleRows } from './store_buckets.js'
import type { BucketMemberRow, BucketRuleRow } from './tables.js'
import type { MemberInput, RuleInput } from './validators/bucket_input.js'

interface Given {
  members?: readonly MemberInput[]
  rules?: readonly RuleInput[]
}

/** Members and rules of a bucket as they are stored; absent where they were not given. */
export interface BucketParts {
  members?: BucketMemberRow[]
  rules?: BucketRuleRow[]
}

/**
 * Reads the members and rules of a bucket.
 * @param before the rules there are: one that says the same keeps its id
 * @throws invalid_input with everything that is wrong with them
 */
export async function readBucketParts(
  scope: Scope,
  { members, rules }: Given,
  before: readonly BucketRuleRow[]
): Promise<BucketParts> {
  const errors: ProblemPlace[] = []
  const read: BucketParts = {}
  if (members) read.members = await memberRows(scope, members, errors)
  if (rules) {
    rules.forEach((rule, index) => errors.push(...ruleProblems(rule, `/rules/${index}`)))
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
  if (errors.length === 0) return read
  throw refuse('invalid_input', { detail: errors[0].message, errors })
}

async function memberRows(
  scope: Scope,
  members: readonly MemberInput[],
  errors: ProblemPlace[]
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
      errors.push({ pointer: at, code: 'unknown', message })
      return []
    }
    if (seen.has(found.id)) {
      const message = `${id ?? name} is a member of the bucket already.`
      errors.push({ pointer: at, code: 'duplicate', message })
    }
    seen.add(found.id)
    return [{ type: group ? ('group' as const) : ('user' as const), id: found.id, permissionLevel }]
  })
}

/** What is wrong with a rule: by its type it takes a branch or a base branch, never both. */
function ruleProblems(rule: RuleInput, at: string): ProblemPlace[] {
  const [needed, refused] =
    rule.type === 'Branch'
      ? (['branch', 'baseBranch'] as const)
      : (['baseBranch', 'branch'] as const)
  const errors: ProblemPlace[] = []
  const add = (member: string, code: string, message: string) =>
    errors.push({ pointer: `${at}/${member}`, code, message })
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
  return errors
}
