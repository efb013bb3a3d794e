import { globProblem } from '#apps/patterns/glob'
import { checkPattern } from '#apps/patterns/pattern'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import type { BucketRetention } from './settings.js'
import { ruleRows } from './store_buckets.js'
import type { BucketMemberRow, BucketRuleRow } from './tables.js'
import { BRANCH_OF_RULE } from './vocabulary.js'
import type { AutomationInput, MemberInput, RuleInput } from './validators/bucket_input.js'

interface GivenParts {
  members?: readonly MemberInput[]
  rules?: readonly RuleInput[]
  automations?: readonly AutomationInput[]
}

/** Members, rules and retention of a bucket as they are stored; absent if not given. */
interface BucketParts {
  members?: BucketMemberRow[]
  rules?: BucketRuleRow[]
  retention?: BucketRetention | null
}

/**
 * Checks the given members, rules and automations of a bucket, and returns them as rows.
 * @param before the existing rules: an unchanged rule keeps its id
 * @throws invalid_input with all errors
 */
export async function readBucketParts(
  scope: Scope,
  given: GivenParts,
  before: readonly BucketRuleRow[]
): Promise<BucketParts> {
  const errors = new InputErrors()
  const members = await checkBucketParts(scope, given, errors)
  errors.throwIfAny()
  const { rules, automations } = given
  return {
    ...(given.members && { members }),
    ...(rules && {
      rules: ruleRows(
        rules.map(({ type, branch, baseBranch, workflow, fileFilterPatterns }) => ({
          type,
          branch: branch ?? null,
          baseBranch: baseBranch ?? null,
          workflow: workflow ?? null,
          fileFilterPatterns: fileFilterPatterns ?? [],
        })),
        before
      ),
    }),
    ...(automations && { retention: retentionOf(automations) }),
  }
}

/**
 * Gathers errors in the parts of a bucket that a valid shape does not exclude.
 * @returns the members that exist
 */
export async function checkBucketParts(
  scope: Scope,
  { members, rules, automations }: PartiallyValid<GivenParts>,
  errors: InputErrors
): Promise<BucketMemberRow[]> {
  const found = members ? await memberRows(scope, members, errors) : []
  rules?.forEach((rule, index) => rule && checkRule(rule, `/rules/${index}`, errors))
  automations?.forEach((each, index) => each && checkRetention(each, index, errors))
  return found
}

/** An empty list means that all builds are kept. */
function retentionOf(automations: readonly AutomationInput[]): BucketRetention | null {
  if (automations.length === 0) return null
  const [{ enabled, config }] = automations
  const { maxAgeDays = null, maxBuilds = null } = config
  return { enabled, maxAgeDays, maxBuilds }
}

function checkRetention(
  { config }: PartiallyValid<AutomationInput>,
  index: number,
  errors: InputErrors
): void {
  const pointer = `/automations/${index}/config`
  const { maxAgeDays = null, maxBuilds = null } = config ?? {}
  if (maxAgeDays !== null || maxBuilds !== null || !errors.isWellFormed(pointer)) return
  const message = 'Builds expire by maxAgeDays, by maxBuilds, or by both.'
  errors.add({ pointer, code: 'required', message })
}

async function memberRows(
  scope: Scope,
  members: PartiallyValid<readonly MemberInput[]>,
  errors: InputErrors
): Promise<BucketMemberRow[]> {
  const [groups, users] = await Promise.all([
    scope.table('groups').select('id', 'name'),
    scope
      .table('users')
      .where((query) => {
        const ids = members.flatMap((each) => each?.id ?? [])
        const emails = members.flatMap((each) => each?.name?.toLowerCase() ?? [])
        query.whereIn('id', ids).orWhereIn('email', emails)
      })
      .select('id', 'email'),
  ])
  const groupBy = byIdAndName(groups, 'name')
  const userBy = byIdAndName(users, 'email')
  const seen = new Set<string>()
  return members.flatMap((member, index) => {
    const at = `/members/${index}`
    if (!member || !errors.isWellFormed(`${at}/id`) || !errors.isWellFormed(`${at}/name`)) return []
    const { id, name, permissionLevel } = member
    const group = id ? groupBy.id.get(id) : groupBy.name.get(name ?? '')
    const user = id ? userBy.id.get(id) : userBy.name.get(name?.toLowerCase() ?? '')
    const found = group ?? user
    if (!found) {
      const message = `The organization has no group or user ${id ?? name ?? 'without id and name'}.`
      errors.add({ pointer: at, code: 'unknown', message })
      return []
    }
    if (seen.has(found.id)) {
      const message = `${id ?? name} is a member of the bucket already.`
      errors.add({ pointer: at, code: 'duplicate', message })
    }
    seen.add(found.id)
    if (!permissionLevel) return []
    return [{ type: group ? ('group' as const) : ('user' as const), id: found.id, permissionLevel }]
  })
}

function byIdAndName<Name extends string>(
  rows: readonly Record<'id' | Name, string>[],
  name: Name
) {
  return {
    id: new Map(rows.map((row) => [row.id, row])),
    name: new Map(rows.map((row) => [row[name], row])),
  }
}

/** A rule takes a branch or a base branch, depending on its type, never both. */
function checkRule(
  { type, ...rule }: PartiallyValid<RuleInput>,
  at: string,
  errors: InputErrors
): void {
  const add = (member: string, code: string, message: string) =>
    errors.add({ pointer: `${at}/${member}`, code, message })
  for (const [index, glob] of (rule.fileFilterPatterns ?? []).entries()) {
    const problem = glob === undefined ? null : globProblem(glob)
    if (problem) add(`fileFilterPatterns/${index}`, 'pattern_too_long', problem)
  }
  if (type === undefined) return
  const { needed, refused } = BRANCH_OF_RULE[type]
  const pattern = rule[needed]
  if (pattern) {
    for (const { code, message } of checkPattern(pattern, 'bucketBranch')) {
      add(needed, code, message)
    }
  } else if (errors.isWellFormed(`${at}/${needed}`)) {
    add(needed, 'required', `A rule of type ${type} needs ${needed}.`)
  }
  if (rule[refused]) {
    add(refused, 'not_allowed', `A rule of type ${type} takes ${needed}, not ${refused}.`)
  }
}
